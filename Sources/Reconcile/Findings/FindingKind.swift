/// Every way in which Apple and the service can disagree, and every event worth a line: the
/// constant columns of SPEC §5's two tables. Each kind has a file in `Rules`, beside its rule.
package struct FindingKind: Sendable {
    /// What a run of one kind's findings comes to in money.
    package enum MoneyRule: Sendable {
        case none
        /// The price over the time from the cause to the instant of judgement.
        case exposure
        /// The whole price of what was taken back.
        case refund
    }

    /// How severe a finding is, and who loses by it.
    package struct Weight: Hashable, Sendable {
        package let severity: Severity
        package let direction: Direction
    }

    /// The column `kind`.
    package let rawValue: String
    package let weight: Weight
    /// Of the kinds whose weight depends on what the user is granted, the lesser one.
    package let lesserWeight: Weight?
    package let file: FindingFile
    package let proposedAction: ProposedAction
    package let money: MoneyRule
    /// Reported once, and never cleared.
    package let isEvent: Bool
    /// Whether an offline run makes it: a receipt that Apple signed shows it, or what is
    /// stored, and nothing that came after the receipt is needed to know it. For the others the row
    /// is `unverified`. Line by line, with reasons: docs/decisions/0070.
    package let isFoundOffline: Bool
    /// What makes it go away; nil: what its action says.
    let ownRemedy: String?

    package init(
        _ rawValue: String, _ severity: Severity, _ direction: Direction,
        or lesser: (severity: Severity, direction: Direction)? = nil, in file: FindingFile,
        action: ProposedAction, money: MoneyRule = .none, isEvent: Bool = false,
        isFoundOffline: Bool = false, remedy: String? = nil
    ) {
        self.rawValue = rawValue
        weight = Weight(severity: severity, direction: direction)
        lesserWeight = lesser.map { Weight(severity: $0.severity, direction: $0.direction) }
        self.file = file
        proposedAction = action
        self.money = money
        self.isEvent = isEvent
        self.isFoundOffline = isFoundOffline
        ownRemedy = remedy
    }

    package var severity: Severity { weight.severity }
    package var direction: Direction { weight.direction }
}

extension FindingKind: CaseIterable, RawRepresentable, Hashable {
    /// The kinds of the first table, then those of the second.
    package static let allCases = RowRules.all.map(\.kind) + FactRules.kinds

    /// The kinds of the first table, in its order: what is wrong with one stored row. Of these a
    /// row has at most one.
    package static let ofStoredRows = RowRules.all.map(\.kind)

    package static let events = Set(allCases.filter(\.isEvent))

    private static let byName = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// Nil for a name that no rule has.
    package init?(rawValue: String) {
        guard let kind = Self.byName[rawValue] else { return nil }
        self = kind
    }

    package static func == (left: FindingKind, right: FindingKind) -> Bool {
        left.rawValue == right.rawValue
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
