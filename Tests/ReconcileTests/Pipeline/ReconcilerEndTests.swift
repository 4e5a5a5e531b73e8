import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The end of a reconciliation", .timeLimit(.minutes(5)))
struct ReconcilerEndTests {
    @Test("comes at once when no certificate can be trusted")
    func certificate() async throws {
        try await ReconcilerFlowTests.withUsers { test, database in
            let server = try TLSLoopbackServer(try TLSCertificate())
            let pass = try await Pass(
                database, try ScriptedApple(status: 0), usersPerBatch: 1, inFlight: 2
            ) { $0.productionURL = "https://localhost:\(server.port)/" }
            await #expect(throws: ValidationFailure.self) { try await pass.reconcile() }
            #expect(try await pass.outcomes(test) == [])
        }
    }

    @Test("comes at once when nothing can be recorded any more")
    func abandoned() async throws {
        try await ReconcilerFlowTests.withUsers { test, database in
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
        "is a defect, told by name, when the controls do not balance",
        arguments: [
            (
                "update reconcile.batch set receipts_verified = receipts_verified + 1",
                "receipts in scope and in their buckets: 6 and 7; receipts verified: 7 and 6"
            ),
            (
                "delete from reconcile.outcome where receipt_id = 'bob'",
                "receipts counted and outcomes written: 6 and 5; receipts verified: 6 and 5"
            ),
            (
                "update reconcile.batch set entitlements_in_scope = 1",
                "entitlements in scope and in their buckets: 1 and 0"
            ),
            (
                """
                update reconcile.batch set entitlements_in_scope = 1, entitlements_with_finding = 1
                """,
                "entitlements with a finding and findings written: 1 and 0"
            ),
            ("update reconcile.batch set done_at = null", "batches left unjudged: 1 and 0"),
        ])
    func controls(tampering: String, message: String) async throws {
        try await ReconcilerFlowTests.withUsers { test, database in
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
        "comes after the users in scope, whole ones, and no others",
        arguments: [
            (.selected(users: ["bob"], receipts: []), ["bob", "bob-2"]),
            (.selected(users: [], receipts: ["bob-2"]), ["bob", "bob-2"]),
            (.selected(users: ["flo", "bob"], receipts: ["bob"]), ["bob", "bob-2", "flo"]),
            (.limited(users: 2), ["ann", "bob", "bob-2"]),
        ] as [(RunScope, [String])])
    func scope(scope: RunScope, receipts: [String]) async throws {
        try await ReconcilerFlowTests.withUsers { test, database in
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
