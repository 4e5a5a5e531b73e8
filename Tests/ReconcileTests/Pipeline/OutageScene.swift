import Testing

@testable import Reconcile
@testable import TestSupport

/// Runs by a clock that a test moves, with answers that depend on the time of the request.
enum OutageScene {
    static let users = 300

    /// Settings with which an outage is detected and given up quickly.
    static func impatient(_ settings: inout ValidationSettings) {
        settings.maxAttempts = 1
        settings.outagePatience = .milliseconds(50)
    }

    /// A user's receipt proves what the service grants; without an answer the grant would look like
    /// a leak.
    static func fill(_ test: TestDatabase, users: Int) async throws {
        try await test.sell("pro.monthly")
        try await test.execute(
            """
            insert into team.entitlements
            select 'e' || n, 'u' || n, 'pro.monthly', null, true, '2026-12-10T02:00:00Z', null,
                null, 'app_store', '2026-10-01T00:00:00Z'
            from generate_series(1, \(users)) as n;
            """)
        try await store((1...users).map { ("r\($0)", "u\($0)", "acme") }, in: test)
    }

    static func store(
        _ receipts: [(String, String, String)], in test: TestDatabase
    ) async throws {
        let rows = receipts.map { id, user, bundle in
            let receipt = TestDatabase.receipt(id, bundle: bundle)
            return "('\(id)', '\(user)', '\(bundle)', '\(receipt)', '2026-11-01T00:00:00Z')"
        }
        try await test.execute(
            "insert into team.receipts values \(rows.joined(separator: ", "))")
    }

    static func valid(_ ask: ScriptedApple.Ask) -> LoopbackServer.Act {
        .reply(AppleAnswer.verified([AppleAnswer.period(ask.chain, from: -10, to: 20)]))
    }

    /// - Parameter users: how many there are, with one receipt each.
    static func night(
        _ apple: ScriptedApple, _ clock: ManualClock, patience: Duration = .seconds(600),
        users: Int = users, usersPerBatch: Int = 50,
        _ body: (TestDatabase, Pass) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await fill(test, users: users)
            let pass = try await Pass(
                database, apple, usersPerBatch: usersPerBatch, inFlight: 16,
                clock: clock
            ) {
                $0.rate = 10
                $0.burst = 10
                $0.maxAttempts = 6
                $0.backoff = .seconds(1)
                $0.receiptDeadline = .seconds(3_600)
                $0.outagePatience = patience
            }
            let work = Task { try await pass.reconcile() }
            _ = try await clock.passing { try await work.value }
            try await body(test, pass)
        }
    }
}

extension ScriptedApple.Ask {
    /// A number that depends on the receipt alone.
    var lot: Int { receipt.utf8.reduce(0) { ($0 * 31 + Int($1)) % 9_973 } }

    /// A subscription of the receipt's own, since a shared one would be a finding.
    var chain: String {
        String(receipt.utf8.reduce(0) { ($0 * 31 + Int($1)) % 99_999_999_977 })
    }
}
