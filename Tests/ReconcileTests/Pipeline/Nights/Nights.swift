import Testing

@testable import Reconcile
@testable import TestSupport

/// Runs over one database, an hour apart, with an Apple whose answers may change in between.
struct Nights: NightSuite, Sendable {
    @TaskLocal fileprivate static var current: Nights?

    let test: TestDatabase
    let database: Database
    fileprivate let acts: Shared<[String: LoopbackServer.Act]>
    fileprivate let apple: ScriptedApple
    fileprivate let count = Shared(0)
    var nights: Nights { self }

    static func with(_ body: (Nights) async throws -> Void) async throws {
        try await TestDatabase.connected { test, database in
            try await test.execute(
                """
                insert into team.products values
                    ('pro.monthly', 'auto_renewable', 'G', 2, null, '1 month', 9.99, 'USD'),
                    ('unlock', 'non_consumable', null, null, null, null, 29.00, 'USD')
                """)
            let acts = Shared<[String: LoopbackServer.Act]>([:])
            let apple = try ScriptedApple { ask in [acts.current[ask.receipt] ?? .status(21005)] }
            try await body(Nights(test: test, database: database, acts: acts, apple: apple))
        }
    }
}

/// Gives each test case nights of its own, which `NightSuite` offers.
struct OwnNights: SuiteTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        try await Nights.with { try await Nights.$current.withValue($0, operation: body) }
    }
}

extension Trait where Self == OwnNights {
    static var nights: OwnNights { OwnNights() }
}

/// A suite with the trait `nights`.
protocol NightSuite {
    var nights: Nights { get }
}

extension NightSuite {
    var nights: Nights {
        guard let nights = Nights.current else {
            preconditionFailure("The suite needs the trait `nights`.")
        }
        return nights
    }

    var test: TestDatabase { nights.test }
    var database: Database { nights.database }

    /// Stores a receipt with its user's name, and Apple's answer about it.
    func customer(_ user: String, _ transactions: String..., isGranted: Bool? = nil) async throws {
        try await test.store(receipt: user, of: user)
        if let isGranted {
            try await test.store(
                entitlement: "e-\(user)", of: user, isActive: isGranted,
                expires: isGranted ? "2026-12-10T02:00:00Z" : nil)
        }
        answer(user, .reply(AppleAnswer.verified(transactions)))
    }

    /// Ann and bob have the same subscription.
    func couple(isGranted: Bool = true) async throws {
        for user in ["ann", "bob"] {
            try await customer(user, AppleAnswer.running(), isGranted: isGranted)
        }
    }

    func answer(_ user: String, _ act: LoopbackServer.Act) {
        nights.acts.update { $0[TestDatabase.receipt(user)] = act }
    }

    func answer(_ user: String, _ transactions: String...) {
        answer(user, .reply(AppleAnswer.verified(transactions)))
    }

    func silence(_ user: String) { answer(user, .status(21005)) }

    /// Replaces the user's stored receipt. Nil is null.
    func store(_ data: String?, of user: String) async throws {
        let text = data.map { "'\($0)'" } ?? "null"
        try await test.execute("update team.receipts set data = \(text) where who = '\(user)'")
    }

    func set(_ user: String, isGranted: Bool) async throws {
        try await test.execute(
            "update team.entitlements set active = \(isGranted) where who = '\(user)'")
    }

    /// With `rows` it is expected to report and to clear exactly these findings.
    /// - Parameters:
    ///   - ending: nil leaves the run open, like a killed process.
    ///   - day: the instant of judgement in days after the first run's; nil: an hour a run.
    @discardableResult
    func night(
        _ rows: String? = nil, cleared: String = "", scope: RunScope = .everything,
        ending: RunEnding? = .published, day: Double? = nil,
        eventHorizon: Duration = .seconds(90 * 86_400), replaying former: Night? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Night {
        let number = nights.count.update { $0 += 1 }
        let hour = Instant.asOf + .seconds((number - 1) * 3_600)
        let asOf = former?.summary.run.asOf ?? day.map(Instant.day) ?? hour
        let pass = try await Pass(
            database, nights.apple, scope: scope, night: number, asOf: asOf,
            eventHorizon: eventHorizon, evidence: .all, replayOf: former?.summary.run.id)
        let night = Night(summary: try await pass.finish(), database: database)
        if ending == .published {
            try await database.ledger.publish(pass.run.id, at: asOf, under: nil)
        } else if let ending {
            try await database.runs.end(pass.run.id, as: ending, at: asOf)
        }
        if let rows {
            #expect(try await night.rows() == rows, sourceLocation: sourceLocation)
            #expect(try await night.cleared() == cleared, sourceLocation: sourceLocation)
        }
        return night
    }

    func accept(
        _ finding: String?, by user: String = "eve", until: Instant? = nil
    ) async throws -> KnownFinding {
        try await database.acceptances.accept(
            Acceptance(finding: finding ?? "", by: user, why: "known", until: until))
    }

    @discardableResult
    func retract(_ night: Night) async throws -> HistoryChange {
        try await database.history.retract(
            runBeginningWith: night.summary.run.id.text, by: "eve", why: "a test")
    }

    /// Prunes every run before the one with this number.
    func prune(before night: Int) async throws -> Pruned {
        try await database.pruning.prune(before: .asOf + .seconds((night - 1) * 3_600))
    }

    /// Every column of every row of the ledger, and the transaction that wrote it last.
    func ledger(_ row: String = "concat_ws(' ', l.xmin, l)") async throws -> [String?] {
        try await test.texts("select \(row) from reconcile.ledger as l order by finding_id")
    }

    /// Without the transactions.
    func ledgerRows() async throws -> [String?] { try await ledger("l::text") }

    /// `kind user state` of the ledger's rows, by kind and user.
    func ledgerStates() async throws -> String {
        try await ledger("concat_ws(' ', kind, coalesce(user_id, '-'), state)")
            .map { $0 ?? "" }.sorted().joined(separator: ", ")
    }
}

struct Night: Sendable {
    let summary: RunSummary
    let database: Database

    /// `kind user lifecycle`, by kind and user.
    func rows() async throws -> String {
        try await findings().map {
            "\($0.finding.kind.rawValue) \($0.finding.user?.text ?? "-") \($0.lifecycle.rawValue)"
        }.sorted().joined(separator: ", ")
    }

    func findings() async throws -> [ReportedFinding] {
        var rows: [ReportedFinding] = []
        for file in FindingFile.allCases {
            for try await page in database.reports.findings(of: summary.run.id, in: file) {
                rows += page
            }
        }
        return rows
    }

    /// `kind user` of the cleared findings.
    func cleared() async throws -> String {
        var rows: [ReportedFinding] = []
        for try await page in database.reports.cleared(of: summary.run.id) { rows += page }
        return rows.map { "\($0.finding.kind.rawValue) \($0.finding.user?.text ?? "-")" }.sorted()
            .joined(separator: ", ")
    }
}

/// Months of a subscription.
extension AppleAnswer {
    static func ended(_ id: String = "1") -> String { period(id, from: -40, to: -10) }
    static func running(_ id: String = "1") -> String { period(id, from: -10, to: 20) }
    static func refunded(_ id: String = "2") -> String {
        period(id, from: -10, to: 20, cancelled: -5)
    }
    static let unknown = period("9", of: "x.monthly", from: -10, to: 20)
}

extension RunScope {
    static func only(_ users: UserID...) -> RunScope { .selected(users: users, receipts: []) }
}
