internal import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: lease batches by `night`, record a `BatchFlush` of `JudgedUser`s, and compare the
/// totals or rows.
@Suite("Recording users, and the answers about them", .database, .hangLimit)
struct RecordingTests: DatabaseSuite {
    @Test("A run's totals are the sums over its users, and each outcome has its cause")
    func totals() async throws {
        let batches = try await night()
        let ann = Self.ann
        let shared = ReportedFinding.test("e", user: "bob") { $0.entitlement = "e1" }
        var bob = JudgedUser.test("bob", findings: [shared])
        bob.requests = .answered(200)
        bob.oldestVerifiedAt = Instant(milliseconds: 66)
        let result = try await record(.test(batches[0], ann), .test(batches[1], bob))
        #expect(result == FlushResult(held: [1, 2]))
        #expect(try await record(.test(batches[0], .test("zoe"))) == FlushResult(held: []))
        let reports = database.reports
        let totals = try await reports.totals(of: run)
        #expect(totals.receipts == ann.receipts)
        #expect(totals.entitlements == ann.entitlements)
        #expect(totals.requests.byHTTPStatus == [200: 5, 503: 1])
        #expect(totals.oldestVerifiedAt == Instant(milliseconds: 66))
        #expect(totals.batchesLeft == 0)
        #expect(try await reports.countedOutcomes(of: run) == ann.receipts)
        let findings = try await reports.countedFindings(of: run)
        #expect(findings.byKind == [.activeNotGranted: 4, .expired: 1])
        #expect(findings.bySeverity == [.critical: 4, .info: 1])
        // Any id, once for each user who had it.
        let kinds = [FindingKind.activeNotGranted]
        #expect(try await reports.countedEntitlements(withFindingOf: kinds, in: run) == 3)
        let rows: [OutcomeRow] = try await test.rows(
            """
            select receipt_id, user_id, bundle_id, outcome, cause, attempts, last_status,
                last_http_status, detail, server, answered_at, entitlements_affected
            from reconcile.outcome order by receipt_id
            """)
        let verified = OutcomeRow(
            receiptID: "r1", outcome: "verified", attempts: 2, lastStatus: 0, lastHTTPStatus: 200,
            detail: "a\tb", server: .sandbox, answeredAt: "2026-11-21T02:00:00.123+00:00")
        #expect(
            rows == [
                verified, OutcomeRow(receiptID: "r2", outcome: "rejected", cause: "account_gone"),
                OutcomeRow(receiptID: "r3", outcome: "unusable", cause: "jws"),
                OutcomeRow(
                    receiptID: "r4", outcome: "unverified", cause: "timeout",
                    entitlementsAffected: 3),
                OutcomeRow(receiptID: nil, outcome: "unusable", cause: "stored_row_invalid"),
            ])
    }

    /// All columns of the table `outcome` but the run's.
    private struct OutcomeRow: Equatable, Decodable {
        let receiptID: String?
        var userID = "ann"
        var bundleID = "app"
        let outcome: String
        var cause: String?
        var attempts = 0
        var lastStatus: Int?
        var lastHTTPStatus: Int?
        var detail: String?
        var server: AppleServer?
        var answeredAt: String?
        var entitlementsAffected = 0
    }

    private static var ann: JudgedUser {
        var verified = Outcome.verified("r1", by: .sandbox)
        verified.attempts.count = 2
        verified.attempts.lastStatus = 0
        verified.attempts.lastHTTPStatus = 200
        verified.attempts.detail = "a\tb"
        verified.attempts.answeredAt = Run.test().asOf
        var unverified = Outcome.test("r4")
        unverified.entitlementsAffected = 3
        var ann = JudgedUser.test(
            outcomes: [
                verified, .test("r2", .rejected(.accountGone)), .test("r3", .unusable(.jws)),
                unverified, .test(nil, .unusable(.storedRowInvalid)),
            ],
            findings: [
                .test("a") { $0.entitlement = "e1" }, .test("b", .expired),
                .test("c") { $0.entitlement = "e1" }, .test("d") { $0.entitlement = "" },
            ])
        ann.entitlements.inScope = 7
        ann.entitlements[.settling] = 7
        ann.requests = .answered(200, 200, 503, 200, 200)
        ann.oldestVerifiedAt = Instant(milliseconds: 77)
        return ann
    }

    @Test("A receipt that moved to another user is counted once, and returned as left out")
    func moved() async throws {
        let batches = try await night(["r1": "ann", "r2": "bob", "r3": "eve"])
        // Ids of any length are distinguished.
        var generator = SeededGenerator(3)
        let long = (0..<12_000).map { _ in "\(generator.number(below: 10))" }.joined()
        let id = ReceiptID(long)
        let result = try await record(
            .test(batches[0], .test(outcomes: [.test(id), .test("r2")])),
            .test(batches[1], .test("bob", outcomes: [.test(id, user: "bob")])))
        #expect(result == FlushResult(held: [1, 2], leftOut: [id]))
        let eve: [Outcome] = [
            .test("r2", user: "eve", .rejected(.accountGone)), .test("r3", user: "eve"),
            .test("r3", user: "eve"), .test(nil, user: "eve"), .test(nil, user: "eve"),
            .test(ReceiptID(long + "x"), user: "eve"),
        ]
        let later = try await record(.test(batches[2], .test("eve", outcomes: eve)))
        #expect(later == FlushResult(held: [3], leftOut: ["r3", "r2"]))
        let totals = try await database.reports.totals(of: run).receipts
        #expect(totals.inScope == 6)
        #expect(totals[.rejected] == 0)
        #expect(totals.isBalanced)
        #expect(try await database.reports.countedOutcomes(of: run) == totals)
    }

    @Test("Nothing of a flush is written when one row is refused, and all of it otherwise")
    func allOrNothing() async throws {
        let batches = try await night()
        let twice = BatchFlush.test(batches[1], .test("bob", findings: [.test("a"), .test("a")]))
        let error = try await databaseError { try await record(.test(batches[0], .full()), twice) }
        guard case .rejected("23505", _) = error.reason else { throw error }
        #expect(try await texts(JudgedUser.written) == [])
        #expect(try await database.reports.totals(of: run).batchesLeft == 2)
        let second = BatchFlush.test(batches[1], refusing: .test("bob", refused: "r9"))
        #expect(try await record(.test(batches[0], .full()), second) == FlushResult(held: [1, 2]))
        #expect(try await texts(JudgedUser.written) == JudgedUser.tables)
    }

    @Test("A user is written once when the answer to a COMMIT is lost", arguments: [true, false])
    func lostCommit(isDone: Bool) async throws {
        let batches = try await night()
        let proxy = try FaultProxy(before: test.url)
        let events = Shared(0)
        let isRepeated = Semaphore(permits: 0)
        let lossy = try await connect(through: proxy).with(
            retry: DatabaseRetry(giveUpAfter: .seconds(240)) { _ in
                // At the first event the connection is lost; at the second it is replaced.
                if events.update({ $0 += 1 }) == 1 {
                    proxy.before("link.flush_no".utf8) { _ in isRepeated.signal() }
                }
            })
        // Blocks a COMMIT while another session has the lock.
        try await execute(
            """
            create function public.wait() returns trigger language plpgsql as $$
            begin perform pg_advisory_xact_lock_shared(1); return null; end $$;
            create constraint trigger wait after insert on reconcile.user_result
            deferrable initially deferred for each row execute function public.wait()
            """)
        let other = try await session()
        try await other.script("select pg_advisory_lock(1)")
        proxy.cutAfterCommits(1)
        var nobody = JudgedUser.test(nil, outcomes: [.test("r9", user: nil)])
        nobody.requests = .answered(200, 200)
        let last = BatchFlush.test(batches[1], nobody, isDone: isDone)
        let recording = Task {
            try await record(.test(batches[0], .full(), isDone: isDone), last, by: lossy)
        }
        // The next attempt finds rows that the first one has changed, and not yet committed.
        try await isRepeated.wait()
        await other.close()
        #expect(try await recording.value == FlushResult(held: [1, 2]))
        #expect(proxy.commitsCut == 1)
        #expect(events.current == 2)
        let users = "select coalesce(user_id, 'nobody') from reconcile.user_result order by 1"
        #expect(try await texts(users) == ["ann", "nobody"])
        let totals = try await database.reports.totals(of: run)
        #expect(totals.receipts.inScope == 2)
        #expect(totals.requests.byServer == [.production: 3])
        #expect(totals.receipts == (try await database.reports.countedOutcomes(of: run)))
        #expect(totals.batchesLeft == (isDone ? 0 : 2))
    }

    @Test("A kept answer is read back byte for byte, by its request, in its run, for its receipt")
    func roundTrip() async throws {
        let batch = try await night(["r1": "ann"], usersPerBatch: 7, keeping: .all)[0]
        var first = KeptAnswer.test(1, .verified, body: #"{"a": "a\tb\\ é \#u{1F600}"}"#)
        first.attempts.count = 2
        first.attempts.detail = "tab\there"
        first.attempts.lastStatus = -1
        first.attempts.lastHTTPStatus = 200
        first.attempts.answeredAt = Instant(milliseconds: 1_795_226_400_123)
        var answers = [
            first, .test(2, .rejected(.notAuthentic), body: "{}"), .test(3, .unverified(.timeout)),
            .test(4, .verified, body: String(repeating: "é\u{1F600}", count: 500_000)),
        ]
        try await keep(answers, of: "ann", in: batch)
        // The digest is stored with the finding.
        for index in answers.indices { answers[index].bodyDigest = nil }
        #expect(try await found(answers, of: "ann") == answers)
        #expect(try await found([.test(6)], of: "ann") + found([], of: "ann") == [])
        #expect(try await found([first], of: "ann", in: RunID(text: "other")) == [])
        // Of several answers to one request a user gets the one about the user's own receipt.
        let users: [UserID] = ["ann", "bob", "eve"]
        for user in users {
            var answer = KeptAnswer.test(5, .verified, body: "answer to \(user)")
            answer.receipt = ReceiptID("receipt of \(user)")
            try await keep([answer], of: user, in: batch)
        }
        // Another user always gets the same answer.
        for (user, owner) in zip(users + ["zoe"], users + ["ann"]) {
            let answers = try await found([.test(5)], of: user)
            #expect(answers.map(\.receipt?.text) == ["receipt of \(owner)"])
            #expect(answers.map(\.body?.bytes) == ["answer to \(owner)".bytes])
        }
    }

    @Test("Only a published run that kept all answers is replayed", arguments: Evidence.allCases)
    func replayable(evidence: Evidence) async throws {
        try await night(["r1": "ann"], usersPerBatch: 7, keeping: evidence)
        func refusal(_ run: RunID) async throws -> String {
            try await databaseError { try await database.runs.replayable(run) }.description
        }
        #expect(try await refusal(run).contains("was not published. Name a published run"))
        #expect(try await refusal(RunID(text: "none")).contains("There is no run none"))
        try await database.ledger.publish(run, at: Run.test().asOf, under: nil)
        guard evidence == .all else {
            return #expect(try await refusal(run).contains("did not keep all answers"))
        }
        let former = try await database.runs.replayable(run)
        #expect(former.run == .test())
        #expect(former.usersPerBatch == 7)
    }

    private func keep(_ answers: [KeptAnswer], of user: UserID, in batch: Batch) async throws {
        let flush = BatchFlush.test(batch, .test(user, evidence: answers), isDone: false)
        #expect(try await record(flush) == FlushResult(held: [batch.number]))
    }

    private func found(
        _ answers: [KeptAnswer], of user: UserID, in run: RunID = Run.test().id
    ) async throws -> [KeptAnswer] {
        try await database.evidence.answers(to: answers.map(\.request), of: user, in: run)
    }
}
