/// A kind of finding. Each is defined in a file of `Rules`, together with its rule.
package struct FindingKind: Sendable {
    enum MoneyRule: Sendable {
        case none
        /// The price over the time from the cause to `as_of`.
        case exposure
        /// The whole price of the refunded purchase.
        case refund
    }

    /// What an event is about.
    enum Event: Sendable {
        case refund, familyRevocation, reversal, expiry
    }

    struct Weight: Hashable, Sendable {
        let severity: Severity
        let direction: Direction
    }

    package let rawValue: String
    let weight: Weight
    /// For kinds whose weight depends on what the user is granted: the lesser weight.
    let lesserWeight: Weight?
    let file: FindingFile
    let proposedAction: ProposedAction
    let money: MoneyRule
    /// Nil for a finding that is reported again until it is cleared.
    let event: Event?
    /// Reported once, and never cleared.
    var isEvent: Bool { event != nil }
    /// Whether an offline run reports the kind: it must follow from a receipt that Apple signed or
    /// from stored data, whatever came after the receipt. Decision 70 has the reasons.
    let isFoundOffline: Bool
    /// How to resolve the finding; nil: by its proposed action.
    let ownRemedy: String?

    init(
        _ rawValue: String, _ severity: Severity, _ direction: Direction,
        or lesser: (severity: Severity, direction: Direction)? = nil, in file: FindingFile,
        action: ProposedAction, money: MoneyRule = .none, event: Event? = nil,
        isFoundOffline: Bool = false, remedy: String? = nil
    ) {
        self.rawValue = rawValue
        weight = Weight(severity: severity, direction: direction)
        lesserWeight = lesser.map { Weight(severity: $0.severity, direction: $0.direction) }
        self.file = file
        proposedAction = action
        self.money = money
        self.event = event
        self.isFoundOffline = isFoundOffline
        ownRemedy = remedy
    }

    var severity: Severity { weight.severity }
    var direction: Direction { weight.direction }

    func direction(of severity: Severity) -> Direction {
        guard let lesserWeight, severity == lesserWeight.severity else { return direction }
        return lesserWeight.direction
    }
}

extension FindingKind: CaseIterable, RawRepresentable, Hashable {
    /// The kinds of rules about rows, then those of facts.
    package static let allCases = RowRules.all.map(\.kind) + FactRules.kinds

    /// The kinds of rules about rows, in order. A stored row has at most one finding of them.
    static let ofStoredRows = RowRules.all.map(\.kind)

    static let events = Set(allCases.filter(\.isEvent))

    private static let byName = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    package init?(rawValue: String) {
        guard let kind = Self.byName[rawValue] else { return nil }
        self = kind
    }

    package static func == (left: FindingKind, right: FindingKind) -> Bool {
        left.rawValue == right.rawValue
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// Who loses: the business by a `leak`, the customer by what is `owed`, neither by `none`.
enum Direction: String, Hashable, Sendable, CaseIterable {
    case leak, owed, none
}

/// The report that contains a finding. Raw values are file names without extension.
package enum FindingFile: String, Hashable, Sendable, CaseIterable {
    case expirations, refunds, mismatches, receipts
}

enum ProposedAction: String, Hashable, Sendable {
    case revoke, restore, extend, shorten
    case changeProduct = "change_product"
    case relabel
    case refreshReceipt = "refresh_receipt"
    case investigate, none
}
