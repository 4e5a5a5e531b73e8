internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Recording users", .database)
struct RecordingTests: DatabaseSuite {
    @Test("The totals of a run are the sums over its users")
    func totals() async throws {
        let batches = try await night()
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
        let result = try await record(.test(batches[0], ann), .test(batches[1], bob))
        #expect(result == FlushResult(held: [1, 2]))

        let reports = database.reports
        let totals = try await reports.totals(of: run)
        #expect(totals.receipts == ann.receipts && totals.entitlements == ann.entitlements)
        let sent = totals.requests
        #expect([sent.sent, sent.production, sent.sandbox, sent.retries] == [5, 4, 1, 2])
        #expect(sent.byStatus == [0: 5, 21_007: 1] && sent.byHTTPStatus == [200: 4, 503: 1])
        #expect(totals.oldestVerifiedAt == Instant(milliseconds: 66))
        #expect(totals.batchesLeft == 0)
        #expect(try await reports.countedOutcomes(of: run) == ann.receipts)
        let findings = try await reports.countedFindings(of: run)
        #expect(findings.byKind == [.activeNotGranted: 3, .expired: 1])
        #expect(findings.bySeverity == [.critical: 3, .info: 1])
        let entitlements = try await reports.countedEntitlements(
            withFindingOf: [.activeNotGranted], in: run)
        #expect(entitlements == 2)
    }

    @Test("Each outcome is written with its cause and its last attempt")
    func outcomes() async throws {
        try await record(.test(try await night()[0], .test(outcomes: Self.outcomes)))
        let rows = try await texts(
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
                "r4 ann app unverified timeout 0 3", "ann app unusable stored_row_invalid 0 0",
            ])
    }

    @Test("A batch is done when the last of its users is recorded or put off")
    func lastUser() async throws {
        let batch = try await night(usersPerBatch: 3)[0]
        let flushes: [(BatchFlush, held: Set<Int>, users: [UserID], left: Int)] = [
            (.test(batch, .test(), isDone: false), [1], ["ann"], 1),
            (
                .test(batch, postponing: .test("bob", refused: "r2"), isDone: false), [1],
                ["ann", "bob"], 1
            ),
            (.test(batch, .test("eve")), [1], ["ann", "bob", "eve"], 0),
            // After that, a user without rows.
            (.test(batch, .test("zoe")), [], ["ann", "bob", "eve"], 0),
        ]
        for (flush, held, users, left) in flushes {
            #expect(try await record(flush) == FlushResult(held: held))
            #expect(try await database.reports.totals(of: run).batchesLeft == left)
            let recorded = try await database.batches.recordedUsers(of: batch, in: run)
            #expect(Set(recorded) == Set(users))
        }
    }

    @Test("A receipt that moved to another user is counted once, and returned as left out")
    func moved() async throws {
        let batches = try await night()
        try await record(.test(batches[0], .test(outcomes: [.test("r1"), .test("r2")])))
        let bob: [Outcome] = [
            .test("r2", user: "bob", .rejected(.accountGone)), .test("r3", user: "bob"),
            .test("r3", user: "bob"), .test(nil, user: "bob"), .test(nil, user: "bob"),
        ]
        let result = try await record(.test(batches[1], .test("bob", outcomes: bob)))
        #expect(result == FlushResult(held: [2], leftOut: ["r3", "r2"]))
        let totals = try await database.reports.totals(of: run).receipts
        #expect(totals.inScope == 5 && totals.rejected == 0 && totals.isBalanced)
        #expect(try await database.reports.countedOutcomes(of: run) == totals)
    }

    @Test("A receipt of two users in one flush is counted once")
    func movedWithin() async throws {
        let batches = try await night()
        let result = try await record(
            .test(batches[0], .test(outcomes: [.test("r1")])),
            .test(batches[1], .test("bob", outcomes: [.test("r1", user: "bob")])))
        #expect(result == FlushResult(held: [1, 2], leftOut: ["r1"]))
        #expect(try await database.reports.totals(of: run).receipts.inScope == 1)
        #expect(try await database.reports.countedOutcomes(of: run).inScope == 1)
    }

    @Test("Receipt ids of any length are distinguished")
    func longID() async throws {
        let batches = try await night()
        var generator = SeededGenerator(3)
        let long = (0..<12_000).map { _ in
            String(UInt8.random(in: 0...15, using: &generator), radix: 16)
        }.joined()
        try await record(.test(batches[0], .test(outcomes: [.test(ReceiptID(long))])))
        let outcomes = [Outcome.test(ReceiptID(long)), .test(ReceiptID(long + "x"))]
        let result = try await record(.test(batches[1], .test("bob", outcomes: outcomes)))
        #expect(result.leftOut == [ReceiptID(long)])
        #expect(try await database.reports.totals(of: run).receipts.inScope == 2)
    }

    @Test("An entitlement of any id is counted, once for each user who had it")
    func entitlementsWithFinding() async throws {
        let batches = try await night()
        func finding(_ id: Character, _ user: UserID, _ row: EntitlementID) -> ReportedFinding {
            .test(id, .expiredStillGranted, user: user) { $0.entitlement = row }
        }
        let ann = [finding("a", "ann", ""), finding("b", "ann", "e")]
        try await record(
            .test(batches[0], .test(findings: ann)),
            .test(batches[1], .test("bob", findings: [finding("c", "bob", "e")])))
        let count = try await database.reports.countedEntitlements(
            withFindingOf: FindingKind.ofStoredRows, in: run)
        #expect(count == 3)
    }

    /// Sightings are compared across users; later runs, or the end of this one, need the rest.
    @Test("Data that no report shows directly is written with the user")
    func besideReports() async throws {
        let batches = try await night()
        var ann = JudgedUser.full()
        ann.receiptSightings[0].digest = [0xAB]
        ann.notReported = [
            NotReported(
                entitlement: "e1", bucket: .settling, kind: .expiredStillGranted, cause: .recent),
            NotReported(entitlement: nil, bucket: .notJudged, cause: .invalidRow),
        ]
        let refund = ReportedFinding.test("a", .refundRecorded) { finding in
            finding.reference = "77"
            finding.eventAt = Run.test().asOf
        }.finding
        ann.remembered = [refund]
        ann.undecided = nil
        var bob = JudgedUser.test("bob")
        bob.unknownProducts = [UnknownProduct(product: "gold", users: 1, rows: 0)]
        bob.undecided = UndecidedUser(user: "bob", lacksEvidence: true, mayBeGranted: false)
        try await record(.test(batches[0], ann), .test(batches[1], bob))
        let rows = try await texts(
            """
            select concat_ws(' ', user_id, original_transaction_id, entitlement_id)
            from reconcile.sighted_purchase union all
            select concat_ws(' ', user_id, receipt_id, encode(receipt_sha256, 'hex'))
            from reconcile.sighted_receipt union all
            select concat_ws(' ', product_id, sum(users), sum(entitlements))
            from reconcile.sighted_product group by product_id union all
            select concat_ws(' ', user_id, lacks_evidence, may_be_granted)
            from reconcile.undecided_user union all
            select concat_ws(' ', user_id, entitlement_id, bucket, kind, cause)
            from reconcile.not_reported union all
            select concat_ws(' ', kind, user_id, reference, event_at)
            from reconcile.remembered_event union all
            select finding_id from reconcile.remembered_event union all
            select left(finding_id, 4) from reconcile.unjudged_finding
            """)
        #expect(
            rows == [
                "ann 100", "ann r1 ab", "gold 2 2", "bob t f",
                "ann e1 settling expired_still_granted recent", "ann not_judged invalid_row",
                "refund_recorded ann 77 2026-11-21 02:00:00.123+00", refund.identity.id, "bbbb",
            ])
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
}
