import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The end of a run", .timeLimit(.minutes(10)))
struct RunWorkerEndTests {
    @Test("A certificate that is not trusted ends the worker at once")
    func certificate() async throws {
        try await RunWorkerFlowTests.withUsers { test, database in
            let server = try TLSLoopbackServer(try TLSCertificate())
            let pass = try await Pass(
                database, try ScriptedApple(status: 0), usersPerBatch: 1, inFlight: 2
            ) { $0.productionURL = "https://localhost:\(server.port)/" }
            await #expect(throws: ValidationFailure.self) { try await pass.reconcile() }
            #expect(try await pass.outcomes(test) == [])
        }
    }

    @Test("A run that was abandoned in the meantime ends the worker at once")
    func abandoned() async throws {
        try await RunWorkerFlowTests.withUsers { test, database in
            let apple = try ScriptedApple { ask in
                Gate.blocking {
                    try await test.execute(
                        "update reconcile.run set state = 'abandoned', finished_at = now()")
                }
                return [.reply(AppleAnswer.verified())]
            }
            let pass = try await Pass(database, apple, usersPerBatch: 1, inFlight: 1)
            let error = try await databaseError { try await pass.reconcile() }
            guard case .notOpen = error.reason else {
                Issue.record("unexpected \(error)")
                return
            }
            #expect(try await pass.outcomes(test) == [])
        }
    }

    @Test(
        "Controls that do not balance are named, and nothing is published",
        arguments: [
            (
                """
                update reconcile.user_result set receipts_verified = receipts_verified + 1
                where user_id = 'bob'
                """,
                "receipts in scope and in their buckets: 6 and 7; receipts verified: 7 and 6"
            ),
            (
                "delete from reconcile.outcome where receipt_id = 'bob'",
                "receipts counted and outcomes written: 6 and 5; receipts verified: 6 and 5"
            ),
            (
                "update reconcile.user_result set entitlements_in_scope = 1 where user_id = 'bob'",
                "entitlements in scope and in their buckets: 1 and 0"
            ),
            (
                """
                update reconcile.user_result
                set entitlements_in_scope = 1, entitlements_with_finding = 1
                where user_id = 'bob'
                """,
                "entitlements with a finding and findings written: 1 and 0"
            ),
            ("update reconcile.batch set done_at = null", "batches that are not done: 1 and 0"),
        ])
    func controls(tampering: String, message: String) async throws {
        try await RunWorkerFlowTests.withUsers { test, database in
            let apple = try ScriptedApple { _ in [.reply(AppleAnswer.verified())] }
            let pass = try await Pass(database, apple)
            try await pass.reconcile()
            _ = try await pass.summary()
            try await test.execute(tampering)
            let error = await #expect(throws: ControlsError.self) { try await pass.summary() }
            #expect(
                error?.description == "The controls do not balance (\(message)). Nothing was"
                    + " published. This is a defect of the job: report it with this line.")
        }
    }

    @Test(
        "A partial run requests all receipts of its users, and no others",
        arguments: [
            (.selected(users: ["bob"], receipts: []), ["bob", "bob-2"]),
            (.selected(users: [], receipts: ["bob-2"]), ["bob", "bob-2"]),
            (.selected(users: ["flo", "bob"], receipts: ["bob"]), ["bob", "bob-2", "flo"]),
            (.limited(users: 2), ["ann", "bob", "bob-2"]),
        ] as [(RunScope, [String])])
    func scope(scope: RunScope, receipts: [String]) async throws {
        try await RunWorkerFlowTests.withUsers { test, database in
            try await test.store(receipt: "bob-2", of: "bob")
            try await test.store(receipt: "nobody's", of: nil)
            let apple = try ScriptedApple { _ in [.reply(AppleAnswer.verified())] }
            let pass = try await Pass(database, apple, scope: scope)
            try await pass.reconcile()
            #expect(pass.plan.receipts == receipts.count)
            #expect(try await pass.outcomes(test) == receipts.map { "\($0) verified 1" })
            #expect(
                Set(apple.asks.map(\.receipt)) == Set(receipts.map { TestDatabase.receipt($0) }))
            #expect(try await pass.summary().receipts.inScope == receipts.count)
        }
    }
}
