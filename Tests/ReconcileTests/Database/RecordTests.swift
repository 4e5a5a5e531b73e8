internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Recording a batch")
struct RecordTests {
    @Test("is kept whole: outcomes, findings and numbers")
    func whole() async throws {
        try await night { test, database, batches in
            var record = BatchRecord.test(batches[0], outcomes: Self.outcomes)
            record.findings = [
                .test("a") { $0.entitlement = "e1" }, .test("b", .expired, severity: .info),
                .test("c") { $0.entitlement = "e1" }, .test("d") { $0.entitlement = "e2" },
            ]
            record.entitlements.inScope = 7
            record.entitlements.settling = 7
            record.requests.sent = 5
            record.requests.byStatus = [0: 3, 21_007: 1]
            record.requests.byHTTPStatus = [200: 4]
            record.oldestVerifiedAt = Instant(milliseconds: 77)
            #expect(try await database.record(record, of: Run.test().id) == [])
            var second = BatchRecord.test(batches[1])
            second.requests.byStatus = [0: 2]
            second.oldestVerifiedAt = Instant(milliseconds: 66)
            try await database.record(second, of: Run.test().id)

            let totals = try await database.totals(of: Run.test().id)
            #expect(totals.receipts == record.receipts)
            #expect(totals.entitlements == record.entitlements)
            #expect(totals.requests.sent == 5)
            #expect(totals.requests.byStatus == [0: 5, 21_007: 1])
            #expect(totals.requests.byHTTPStatus == [200: 4])
            #expect(totals.oldestVerifiedAt == Instant(milliseconds: 66))
            #expect(totals.batchesLeft == 0)
            #expect(try await database.countedOutcomes(of: Run.test().id) == record.receipts)
            let findings = try await database.countedFindings(of: Run.test().id)
            #expect(findings.byKind == [.activeNotGranted: 3, .expired: 1])
            #expect(findings.bySeverity == [.critical: 3, .info: 1])
            let entitlements = try await database.countedEntitlements(
                withFindingOf: [.activeNotGranted], in: Run.test().id)
            #expect(entitlements == 2)
        }
    }

    @Test("keeps each outcome with its cause and what was asked")
    func columns() async throws {
        try await night { test, database, batches in
            try await database.record(.test(batches[0], outcomes: Self.outcomes), of: Run.test().id)
            let rows = try await test.texts(
                """
                select concat_ws(' ', receipt_id, user_id, outcome, cause, attempts, last_status,
                    last_http_status, detail, encode(question, 'hex'), answered_at)
                from reconcile.outcome order by receipt_id
                """)
            #expect(
                rows == [
                    "r1 ann verified 2 0 200 a\tb 00ff 2026-11-21 02:00:00.123+00",
                    "r2 ann rejected account_gone 0", "r3 ann unusable jws 0",
                    "r4 ann unverified timeout 0", "ann unusable stored_row_invalid 0",
                ])
        }
    }

    @Test("is refused a second time, and for a run that has ended, without a trace")
    func twice() async throws {
        try await night { test, database, batches in
            let run = Run.test().id
            try await database.record(.test(batches[0], outcomes: [.test("r1")]), of: run)
            let again = try await databaseError {
                try await database.record(.test(batches[0], outcomes: [.test("r2")]), of: run)
            }
            guard case .notOpen = again.reason else {
                Issue.record("unexpected \(again)")
                return
            }
            try await database.finish(run, as: .abandoned, at: Instant(milliseconds: 0))
            let late = try await databaseError {
                try await database.record(.test(batches[1], outcomes: [.test("r3")]), of: run)
            }
            #expect(late.description.contains("nothing was written (complete_batch)"))
            #expect(try await test.texts("select receipt_id from reconcile.outcome") == ["r1"])
        }
    }

    @Test("counts a receipt that moved to another user once")
    func moved() async throws {
        try await night { test, database, batches in
            let run = Run.test().id
            try await database.record(
                .test(batches[0], outcomes: [.test("r1"), .test("r2")]), of: run)
            let leftOut = try await database.record(
                .test(
                    batches[1],
                    outcomes: [
                        .test("r2", user: "bob", .rejected(.accountGone)), .test("r3", user: "bob"),
                        .test("r3", user: "bob"), .test(nil, user: "bob"), .test(nil, user: "bob"),
                    ]), of: run)
            #expect(leftOut == ["r3", "r2"])
            let totals = try await database.totals(of: run).receipts
            #expect(totals.inScope == 5)
            #expect(totals.rejected == 0)
            #expect(totals.isBalanced)
            #expect(try await database.countedOutcomes(of: run) == totals)
        }
    }

    @Test("takes an id of any length, and tells it from another")
    func longID() async throws {
        try await night { _, database, batches in
            let run = Run.test().id
            var generator = SeededGenerator(3)
            let long = (0..<12_000).map { _ in
                String(UInt8.random(in: 0...15, using: &generator), radix: 16)
            }.joined()
            try await database.record(
                .test(batches[0], outcomes: [.test(ReceiptID(long))]), of: run)
            let leftOut = try await database.record(
                .test(
                    batches[1],
                    outcomes: [.test(ReceiptID(long)), .test(ReceiptID(long + "x"))]), of: run)
            #expect(leftOut == [ReceiptID(long)])
            #expect(try await database.totals(of: run).receipts.inScope == 2)
        }
    }

    @Test("counts a row of any id, and one that two users had in turn once for each")
    func entitlementsWithFinding() async throws {
        try await night { _, database, batches in
            let run = Run.test().id
            func finding(_ id: Character, _ user: UserID, _ row: EntitlementID) -> ReportedFinding {
                .test(id, .expiredStillGranted, user: user) { $0.entitlement = row }
            }
            try await database.record(
                .test(batches[0], findings: [finding("a", "ann", ""), finding("b", "ann", "e")]),
                of: run)
            try await database.record(
                .test(batches[1], findings: [finding("c", "bob", "e")]), of: run)
            let count = try await database.countedEntitlements(
                withFindingOf: FindingKind.ofStoredRows, in: run)
            #expect(count == 3)
        }
    }

    @Test("keeps nothing when a finding comes twice")
    func findingTwice() async throws {
        try await night { test, database, batches in
            let error = try await databaseError {
                try await database.record(
                    .test(batches[0], outcomes: [.test("r1")], findings: [.test("a"), .test("a")]),
                    of: Run.test().id)
            }
            guard case .rejected("23505", _) = error.reason else {
                Issue.record("unexpected \(error)")
                return
            }
            #expect(try await test.texts("select count(*) from reconcile.outcome") == ["0"])
            #expect(try await database.totals(of: Run.test().id).batchesLeft == 2)
        }
    }

    private static let outcomes: [Outcome] = {
        var verified = Outcome.test(
            "r1",
            .verified(
                Receipt(bundle: "app", environment: .production)))
        verified.attempts.count = 2
        verified.attempts.lastStatus = 0
        verified.attempts.lastHTTPStatus = 200
        verified.attempts.detail = "a\tb"
        verified.question = [0, 255]
        verified.attempts.answeredAt = Run.test().asOf
        return [
            verified, .test("r2", .rejected(.accountGone)), .test("r3", .unusable(.jws)),
            .test("r4"), .test(nil, .unusable(.storedRowInvalid)),
        ]
    }()

    /// An open run of two batches.
    private func night(
        _ body: (TestDatabase, Database, [Batch]) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann"), ("r9", "bob")])
            _ = try await database.open(.test(), codeVersion: "1", settings: "{}")
            _ = try await database.cutBatches(of: .test(), usersPerBatch: 1)
            var batches: [Batch] = []
            for number in 1...2 {
                batches.append(try #require(try await database.batch(number, of: Run.test().id)))
            }
            try await body(test, database, batches)
        }
    }
}
