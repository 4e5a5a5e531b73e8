internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Recording users")
struct RecordingTests {
    private static let run = Run.test().id

    @Test("The totals of a run are the sums over its users")
    func totals() async throws {
        try await night { _, database, batches in
            var ann = JudgedUser.test(
                outcomes: Self.outcomes,
                findings: [
                    .test("a") { $0.entitlement = "e1" }, .test("b", .expired, severity: .info),
                    .test("c") { $0.entitlement = "e1" }, .test("d") { $0.entitlement = "e2" },
                ])
            ann.entitlements.inScope = 7
            ann.entitlements.settling = 7
            ann.requests.production = 4
            ann.requests.sandbox = 1
            ann.requests.retries = 2
            ann.requests.statuses = [0, 21_007, 0, 0]
            ann.requests.httpStatuses = [200, 200, 503, 200, 200]
            ann.oldestVerifiedAt = Instant(milliseconds: 77)
            var bob = JudgedUser.test("bob")
            bob.requests.statuses = [0, 0]
            bob.oldestVerifiedAt = Instant(milliseconds: 66)
            let result = try await database.results.record(
                [.test(batches[0], ann), .test(batches[1], bob)], of: .test())
            #expect(result == FlushResult(held: [1, 2]))

            let totals = try await database.reports.totals(of: Self.run)
            #expect(totals.receipts == ann.receipts)
            #expect(totals.entitlements == ann.entitlements)
            #expect(totals.requests.sent == 5)
            #expect(totals.requests.production == 4 && totals.requests.sandbox == 1)
            #expect(totals.requests.retries == 2)
            #expect(totals.requests.byStatus == [0: 5, 21_007: 1])
            #expect(totals.requests.byHTTPStatus == [200: 4, 503: 1])
            #expect(totals.oldestVerifiedAt == Instant(milliseconds: 66))
            #expect(totals.batchesLeft == 0)
            #expect(try await database.reports.countedOutcomes(of: Self.run) == ann.receipts)
            let findings = try await database.reports.countedFindings(of: Self.run)
            #expect(findings.byKind == [.activeNotGranted: 3, .expired: 1])
            #expect(findings.bySeverity == [.critical: 3, .info: 1])
            let entitlements = try await database.reports.countedEntitlements(
                withFindingOf: [.activeNotGranted], in: Self.run)
            #expect(entitlements == 2)
        }
    }

    @Test("Each outcome is written with its cause and its last attempt")
    func outcomes() async throws {
        try await night { test, database, batches in
            _ = try await database.results.record(
                [.test(batches[0], .test(outcomes: Self.outcomes))], of: .test())
            let rows = try await test.texts(
                """
                select concat_ws(' ', receipt_id, user_id, bundle_id, outcome, cause, attempts,
                    last_status, last_http_status, detail, environment, answered_at,
                    entitlements_affected)
                from reconcile.outcome order by receipt_id
                """)
            #expect(
                rows == [
                    "r1 ann app verified 2 0 200 a\tb Sandbox 2026-11-21 02:00:00.123+00 0",
                    "r2 ann app rejected account_gone 0 0", "r3 ann app unusable jws 0 0",
                    "r4 ann app unverified timeout 0 3",
                    "ann app unusable stored_row_invalid 0 0",
                ])
        }
    }

    @Test("A user is put off with the refused receipts and the requests of the first look")
    func postponing() async throws {
        try await night { test, database, batches in
            var requests = RequestRecord()
            requests.production = 2
            requests.sandbox = 1
            requests.retries = 1
            requests.statuses = [21_007, 21_010]
            requests.httpStatuses = [200, 503, 200]
            let ann = PostponedUser(
                user: "ann", refusals: ["r2": .sandbox, "r\"1": .production], requests: requests)
            _ = try await database.results.record(
                [.test(batches[0], postponing: ann)], of: .test())
            let rows = try await test.texts(
                """
                select concat_ws(' ', put_off_by, batch_no, user_id, requests_production,
                    requests_sandbox, requests_retries, refused_receipts, refused_by, statuses,
                    http_statuses)
                from reconcile.second_look
                """)
            #expect(
                rows == [
                    #"1 ann 2 1 1 {"r\"1",r2} {Production,Sandbox} {21007,21010} {200,503,200}"#
                ])
            #expect(try await database.reports.totals(of: Self.run).requests.sent == 0)
            #expect(
                try await database.batches.recordedUsers(of: batches[0], in: Self.run) == ["ann"])
        }
    }

    @Test("A batch is done when the last of its users is recorded or put off")
    func lastUser() async throws {
        try await night(usersPerBatch: 3) { _, database, batches in
            let batch = try #require(batches.first)
            _ = try await database.results.record(
                [.test(batch, .test(), isDone: false)], of: .test())
            #expect(try await database.reports.totals(of: Self.run).batchesLeft == 1)
            _ = try await database.results.record(
                [.test(batch, postponing: .test("bob", refused: "r2"), isDone: false)],
                of: .test())
            #expect(try await database.reports.totals(of: Self.run).batchesLeft == 1)
            #expect(
                Set(try await database.batches.recordedUsers(of: batch, in: Self.run)) == [
                    "ann", "bob",
                ])
            _ = try await database.results.record([.test(batch, .test("eve"))], of: .test())
            #expect(try await database.reports.totals(of: Self.run).batchesLeft == 0)
            // After that, a user without rows.
            let late = try await database.results.record([.test(batch, .test("zoe"))], of: .test())
            #expect(late == FlushResult(held: []))
            #expect(
                Set(try await database.batches.recordedUsers(of: batch, in: Self.run))
                    == ["ann", "bob", "eve"])
        }
    }

    @Test("A receipt that moved to another user is counted once, and returned as left out")
    func moved() async throws {
        try await night { _, database, batches in
            _ = try await database.results.record(
                [.test(batches[0], .test(outcomes: [.test("r1"), .test("r2")]))], of: .test())
            let bob = JudgedUser.test(
                "bob",
                outcomes: [
                    .test("r2", user: "bob", .rejected(.accountGone)), .test("r3", user: "bob"),
                    .test("r3", user: "bob"), .test(nil, user: "bob"), .test(nil, user: "bob"),
                ])
            let result = try await database.results.record([.test(batches[1], bob)], of: .test())
            #expect(result == FlushResult(held: [2], leftOut: ["r3", "r2"]))
            let totals = try await database.reports.totals(of: Self.run).receipts
            #expect(totals.inScope == 5)
            #expect(totals.rejected == 0)
            #expect(totals.isBalanced)
            #expect(try await database.reports.countedOutcomes(of: Self.run) == totals)
        }
    }

    @Test("A receipt of two users in one flush is counted once")
    func movedWithin() async throws {
        try await night { _, database, batches in
            let result = try await database.results.record(
                [
                    .test(batches[0], .test(outcomes: [.test("r1")])),
                    .test(batches[1], .test("bob", outcomes: [.test("r1", user: "bob")])),
                ], of: .test())
            #expect(result == FlushResult(held: [1, 2], leftOut: ["r1"]))
            #expect(try await database.reports.totals(of: Self.run).receipts.inScope == 1)
            #expect(try await database.reports.countedOutcomes(of: Self.run).inScope == 1)
        }
    }

    @Test("Receipt ids of any length are distinguished")
    func longID() async throws {
        try await night { _, database, batches in
            var generator = SeededGenerator(3)
            let long = (0..<12_000).map { _ in
                String(UInt8.random(in: 0...15, using: &generator), radix: 16)
            }.joined()
            _ = try await database.results.record(
                [.test(batches[0], .test(outcomes: [.test(ReceiptID(long))]))], of: .test())
            let outcomes = [Outcome.test(ReceiptID(long)), .test(ReceiptID(long + "x"))]
            let result = try await database.results.record(
                [.test(batches[1], .test("bob", outcomes: outcomes))], of: .test())
            #expect(result.leftOut == [ReceiptID(long)])
            #expect(try await database.reports.totals(of: Self.run).receipts.inScope == 2)
        }
    }

    @Test("An entitlement of any id is counted, once for each user who had it")
    func entitlementsWithFinding() async throws {
        try await night { _, database, batches in
            func finding(_ id: Character, _ user: UserID, _ row: EntitlementID) -> ReportedFinding {
                .test(id, .expiredStillGranted, user: user) { $0.entitlement = row }
            }
            let ann = [finding("a", "ann", ""), finding("b", "ann", "e")]
            let bob = [finding("c", "bob", "e")]
            _ = try await database.results.record(
                [
                    .test(batches[0], .test(findings: ann)),
                    .test(batches[1], .test("bob", findings: bob)),
                ], of: .test())
            let count = try await database.reports.countedEntitlements(
                withFindingOf: FindingKind.ofStoredRows, in: Self.run)
            #expect(count == 3)
        }
    }

    private static let outcomes: [Outcome] = {
        var verified = Outcome.verified("r1", by: .sandbox)
        verified.attempts.count = 2
        verified.attempts.lastStatus = 0
        verified.attempts.lastHTTPStatus = 200
        verified.attempts.detail = "a\tb"
        verified.attempts.answeredAt = Run.test().asOf
        var unverified = Outcome.test("r4")
        unverified.entitlementsAffected = 3
        return [
            verified, .test("r2", .rejected(.accountGone)), .test("r3", .unusable(.jws)),
            unverified, .test(nil, .unusable(.storedRowInvalid)),
        ]
    }()

    private func night(
        usersPerBatch: Int = 1, _ body: (TestDatabase, Database, [Batch]) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann"), ("r9", "bob")])
            let batches = try await database.openedBatches(usersPerBatch: usersPerBatch)
            try await body(test, database, batches)
        }
    }
}
