import Testing

@testable import Reconcile
@testable import TestSupport

/// Runs over one database, an hour apart, with an Apple whose answers may change in between.
struct Nights: Sendable {
    let test: TestDatabase
    let database: Database
    private let acts: Shared<[String: LoopbackServer.Act]>
    private let apple: ScriptedApple
    private let count = Shared(0)

    static func with(_ body: (Nights) async throws -> Void) async throws {
        try await TestDatabase.connected { test, database in
            try await test.execute(
                """
                insert into team.products values
                    ('pro.monthly', 'auto_renewable', 'G', 2, null, '1 month', 9.99, 'USD'),
                    ('unlock', 'non_consumable', null, null, null, null, 29.00, 'USD')
                """)
            let acts = Shared<[String: LoopbackServer.Act]>([:])
            let apple = try ScriptedApple { ask in
                [acts.current[ask.receipt] ?? .reply(AppleAnswer.status(21005))]
            }
            try await body(Nights(test: test, database: database, acts: acts, apple: apple))
        }
    }

    private init(
        test: TestDatabase, database: Database, acts: Shared<[String: LoopbackServer.Act]>,
        apple: ScriptedApple
    ) {
        self.test = test
        self.database = database
        self.acts = acts
        self.apple = apple
    }

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

    func answer(_ user: String, _ act: LoopbackServer.Act) {
        acts.update { $0[TestDatabase.receipt(user)] = act }
    }

    func answer(_ user: String, _ transactions: String...) {
        answer(user, .reply(AppleAnswer.verified(transactions)))
    }

    func silence(_ user: String) { answer(user, .reply(AppleAnswer.status(21005))) }

    /// Replaces the user's stored receipt. Nil is null.
    func store(_ data: String?, of user: String) async throws {
        let text = data.map { "'\($0)'" } ?? "null"
        try await test.execute("update team.receipts set data = \(text) where who = '\(user)'")
    }

    func set(_ user: String, isGranted: Bool) async throws {
        try await test.execute(
            "update team.entitlements set active = \(isGranted) where who = '\(user)'")
    }

    /// - Parameters:
    ///   - ending: nil leaves the run open, like a killed process.
    ///   - day: the instant of judgement in days after the first run's; nil: an hour a run.
    func night(
        scope: RunScope = .everything, ending: RunEnding? = .published, day: Double? = nil,
        eventHorizon: Duration = .seconds(90 * 86_400), replaying former: Night? = nil
    ) async throws -> Night {
        let number = count.update { $0 += 1 }
        let asOf =
            former?.summary.run.asOf ?? day.map(Instant.day)
            ?? .asOf + .seconds((number - 1) * 3_600)
        let pass = try await Pass(
            database, apple, scope: scope, night: number, asOf: asOf, eventHorizon: eventHorizon,
            evidence: .all, replayOf: former?.summary.run.id)
        try await pass.reconcile()
        let summary = try await pass.summary()
        switch ending {
        case .published: try await database.ledger.publish(pass.run.id, at: asOf, under: nil)
        case .held:
            try await database.ledger.publish(pass.run.id, as: .held, at: asOf, under: nil)
        case .failed, .abandoned:
            try await database.runs.end(pass.run.id, as: ending ?? .failed, at: asOf)
        case nil: break
        }
        return Night(summary: summary, database: database)
    }

    /// Every column of every row of the ledger, and the transaction that wrote it last.
    func ledger() async throws -> [String] {
        try await test.texts(
            "select concat_ws(' ', l.xmin, l) from reconcile.ledger as l order by finding_id"
        ).compactMap(\.self)
    }

    /// Every column of every row of the ledger.
    func ledgerRows() async throws -> [String] {
        try await test.texts("select l::text from reconcile.ledger as l order by finding_id")
            .compactMap(\.self)
    }

    /// `kind user state` of the ledger's rows, by kind and user.
    func ledgerStates() async throws -> [String] {
        try await test.texts(
            """
            select concat_ws(' ', kind, coalesce(user_id, '-'), state)
            from reconcile.ledger order by 1
            """
        ).compactMap(\.self)
    }
}

struct Night: Sendable {
    let summary: RunSummary
    let database: Database

    /// `kind user lifecycle`, by kind and user.
    func rows() async throws -> [String] {
        try await findings().map {
            "\($0.finding.kind.rawValue) \($0.finding.user?.text ?? "-") \($0.lifecycle.rawValue)"
        }.sorted()
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

    /// The rows in report order.
    func notReported() async throws -> [NotReportedRow] {
        var rows: [NotReportedRow] = []
        for try await page in database.reports.notReported(of: summary.run.id) { rows += page }
        return rows
    }

    /// `kind user` of the cleared findings.
    func cleared() async throws -> [String] {
        var rows: [ReportedFinding] = []
        for try await page in database.reports.cleared(of: summary.run.id) { rows += page }
        return rows.map { "\($0.finding.kind.rawValue) \($0.finding.user?.text ?? "-")" }.sorted()
    }
}
