import Testing

@testable import Reconcile
@testable import TestSupport

/// Nights that follow each other. To add a story, copy one and change its nights.
struct NightStory: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let nights: [StoryNight]

    init(_ title: String, _ nights: StoryNight...) {
        testDescription = title
        self.nights = nights
    }
}

/// What changes before a night, and what the night must report and clear, and nothing else.
struct StoryNight: Sendable {
    let changes: [StoryChange]
    let reports: [Reported]
    let clears: [Cleared]
    /// The whole ledger after the night; not compared if nil.
    let leaves: [LedgerGroup]?

    init(
        _ changes: StoryChange..., reports: [Reported] = [], clears: [Cleared] = [],
        leaves: [LedgerGroup]? = nil
    ) {
        self.changes = changes
        self.reports = reports.sorted()
        self.clears = clears.sorted()
        self.leaves = leaves?.sorted()
    }
}

enum StoryChange: Sendable {
    case turn(String, [StoryTurn])
    case sql(String)
    /// The night looks at these users only.
    case scope([String])
    case failed
    /// The run stays open, as that of a killed process does.
    case unfinished
    /// The day that the night judges, from `Instant.asOf`.
    case day(Double)
    case horizon(days: Double)
    /// Of the night's run; without it the number of the night is in the id.
    case id(String)
    /// The night counts units of so many days.
    case units(days: Int)
    /// A replay of the night with this number.
    case replay(Int)
    case retract(Int)
    /// Removes the runs before the night with this number, which must be as many.
    case prune(before: Int, runs: Int)
    /// Accepts the first such finding of the last night.
    case accept(FindingKind)

    static func of(_ user: String, _ turns: StoryTurn...) -> StoryChange { .turn(user, turns) }

    static func only(_ users: String...) -> StoryChange { .scope(users) }
}

/// What happens to a user: in the team's tables, or in Apple's answers.
enum StoryTurn: Sendable {
    case granted
    case revoked
    /// Apple answers with an internal error.
    case silent
    /// Apple shows the version that was bought first, and no purchase.
    case version(String)
    /// A further receipt is stored, about which Apple is silent.
    case receipt(String)
    /// The stored receipt becomes that of another user.
    case copy(of: String)
    case shows([NightPurchase])

    static func shows(_ lines: NightPurchase...) -> StoryTurn { .shows(lines) }
    static func ended(_ id: String = "1") -> StoryTurn { .shows(.ended(id)) }
    static func earlier(_ id: String = "1") -> StoryTurn { .shows(.earlier(id)) }
    static func recent(_ id: String = "1") -> StoryTurn { .shows(.recent(id)) }
    static func running(_ id: String = "1") -> StoryTurn { .shows(.running(id)) }
    static func refunded(_ id: String = "1") -> StoryTurn { .shows(.refunded(id)) }
    static func unknown(_ id: String = "1") -> StoryTurn { .shows(.unknown(id)) }
    static func undated(_ id: String = "1") -> StoryTurn { .shows(.undated(id)) }

    static func old(_ id: String, isRefunded: Bool = false) -> StoryTurn {
        .shows(.old(id, isRefunded: isRefunded))
    }

    static func month(_ id: String, order: String, isRefunded: Bool = false) -> StoryTurn {
        .shows(.month(id, order: order, isRefunded: isRefunded))
    }

    static func unlock(_ id: String, isRefunded: Bool = false) -> StoryTurn {
        .shows(.unlock(id, isRefunded: isRefunded))
    }
}

/// A purchase in an answer, by its transaction.
enum NightPurchase: Sendable {
    case ended(String)
    case earlier(String)
    case recent(String)
    case running(String)
    case refunded(String)
    /// Of half a year ago.
    case old(String, isRefunded: Bool)
    /// Of a product outside the catalogue.
    case unknown(String)
    /// Its purchase date cannot be read.
    case undated(String)
    /// A period of the subscription 1, with the order that paid it.
    case month(String, order: String, isRefunded: Bool)
    /// Of the purchase 1, which was restored with this transaction.
    case unlock(String, isRefunded: Bool)

    var json: String {
        switch self {
        case .ended(let id): AppleAnswer.period(id, from: -40, to: -10)
        case .earlier(let id): AppleAnswer.period(id, from: -45, to: -15)
        case .recent(let id): AppleAnswer.period(id, from: -30.5, to: -0.5)
        case .running(let id): AppleAnswer.period(id, from: -10, to: 20)
        case .refunded(let id): AppleAnswer.period(id, from: -10, to: 20, cancelled: -5)
        case .old(let id, let isRefunded):
            AppleAnswer.period(id, from: -150, to: -110, cancelled: isRefunded ? -140 : nil)
        case .unknown(let id): AppleAnswer.period(id, of: "x.monthly", from: -10, to: 20)
        case .undated(let id):
            AppleLine.json([
                ("transaction_id", id), ("original_transaction_id", id),
                ("product_id", "pro.monthly"), ("purchase_date_ms", "x" + AppleLine.ms(-10)),
                ("expires_date_ms", AppleLine.ms(20)),
            ])
        case .month(let id, let order, let isRefunded):
            AppleLine.period(
                id, of: "1", from: -10, to: 20, cancelled: isRefunded ? -5 : nil, order: order)
        case .unlock(let id, let isRefunded):
            AppleLine.once(id, of: "1", "unlock", bought: -60, cancelled: isRefunded ? -5 : nil)
        }
    }
}

/// The users of the findings of one kind and lifecycle, sorted; `-` is none.
struct Reported: Hashable, Sendable {
    let kind: FindingKind
    let lifecycle: Lifecycle
    let users: [String]

    static func new(_ kind: FindingKind, _ users: String...) -> Reported {
        Reported(kind: kind, lifecycle: .new, users: users)
    }

    static func persisting(_ kind: FindingKind, _ users: String...) -> Reported {
        Reported(kind: kind, lifecycle: .persisting, users: users)
    }

    static func reopened(_ kind: FindingKind, _ users: String...) -> Reported {
        Reported(kind: kind, lifecycle: .reopened, users: users)
    }

    static func accepted(_ kind: FindingKind, _ users: String...) -> Reported {
        Reported(kind: kind, lifecycle: .accepted, users: users)
    }

    static func groups(of rows: [ReportedFinding]) -> [Reported] {
        var users: [Pair: [String]] = [:]
        for row in rows {
            let pair = Pair(kind: row.finding.kind, lifecycle: row.lifecycle)
            users[pair, default: []].append(row.finding.user?.text ?? "-")
        }
        return users.map { pair, users in
            Reported(kind: pair.kind, lifecycle: pair.lifecycle, users: users.sorted())
        }.sorted()
    }

    private struct Pair: Hashable {
        let kind: FindingKind
        let lifecycle: Lifecycle
    }
}

extension Reported: Comparable {
    static func < (left: Reported, right: Reported) -> Bool {
        (left.kind.rawValue, left.lifecycle.rawValue)
            < (right.kind.rawValue, right.lifecycle.rawValue)
    }
}

/// The users of the cleared findings of one kind, sorted; `-` is none.
struct Cleared: Hashable, Sendable {
    let kind: FindingKind
    let users: [String]

    static func of(_ kind: FindingKind, _ users: String...) -> Cleared {
        Cleared(kind: kind, users: users)
    }

    static func groups(of rows: [ReportedFinding]) -> [Cleared] {
        Dictionary(grouping: rows, by: \.finding.kind).map { kind, rows in
            Cleared(kind: kind, users: rows.map { $0.finding.user?.text ?? "-" }.sorted())
        }.sorted()
    }
}

extension Cleared: Comparable {
    static func < (left: Cleared, right: Cleared) -> Bool {
        left.kind.rawValue < right.kind.rawValue
    }
}

/// The users of the ledger's rows of one kind and state, sorted.
struct LedgerGroup: Hashable, Sendable {
    enum State: String, Decodable, Sendable { case open, closed, event, remembered }

    struct Key: Hashable, Sendable {
        let kind: FindingKind
        let state: State
    }

    let key: Key
    let users: [String]

    static func rows(_ state: State, _ kind: FindingKind, _ users: String...) -> LedgerGroup {
        LedgerGroup(key: Key(kind: kind, state: state), users: users)
    }
}

extension LedgerGroup: Comparable {
    static func < (left: LedgerGroup, right: LedgerGroup) -> Bool {
        (left.key.kind.rawValue, left.key.state.rawValue)
            < (right.key.kind.rawValue, right.key.state.rawValue)
    }
}
