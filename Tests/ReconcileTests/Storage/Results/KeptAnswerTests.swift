internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Kept answers", .database)
struct KeptAnswerTests: DatabaseSuite {
    @Test("A kept answer is read back byte for byte, only by its request and in its own run")
    func roundTrip() async throws {
        let body = #"{"status": 0, "receipt": "a\tb\\ é \#u{1F600}"}"#
        var first = KeptAnswer.test(1, .verified, body: body)
        first.attempts.detail = "tab\there"
        first.attempts.lastStatus = -1
        first.attempts.lastHTTPStatus = 200
        first.attempts.answeredAt = Instant(milliseconds: 1_795_226_400_123)
        first.requests.statuses = [.max, -1, 21_007]
        let megabytes = String(repeating: "é\u{1F600}", count: 500_000)
        let answers = [
            first, .test(2, .rejected(.notAuthentic), body: "{}"), .test(3, .unverified(.timeout)),
            .test(4, .verified, body: megabytes),
        ]
        try await keep(answers, of: "ann", in: try await nightOfAnn())
        #expect(try await found(answers, of: "ann") == answers.map(\.withoutDigest))
        #expect(try await found([.test(5)], of: "ann") == [])
        #expect(try await found([], of: "ann") == [])
        let elsewhere = try await database.evidence.answers(
            to: [first.request], of: "ann", in: RunID(text: "other"))
        #expect(elsewhere == [])
    }

    @Test("A kept answer is stored with the digest of its body, which findings name")
    func digest() async throws {
        let answers = [KeptAnswer.test(1, .verified, body: "abc"), .test(2)]
        try await keep(answers, of: "ann", in: try await nightOfAnn())
        let rows = try await texts(
            """
            select concat_ws(' ', user_id, receipt_id, body_sha256 = sha256('abc'), environment)
            from reconcile.evidence order by request_sha256
            """)
        #expect(rows == ["ann r1 t Sandbox", "ann r2"])
    }

    @Test("Of several answers to one request a user gets the one about the user's own receipt")
    func several() async throws {
        let batch = try await nightOfAnn()
        var answers: [UserID: KeptAnswer] = [:]
        for user in ["ann", "bob", "eve"] as [UserID] {
            var answer = KeptAnswer.test(1, .verified, body: "answer to \(user)")
            answer.receipt = ReceiptID("receipt of \(user)")
            answers[user] = answer
            try await keep([answer], of: user, in: batch)
        }
        for (user, answer) in answers {
            #expect(try await found([answer], of: user) == [answer.withoutDigest])
        }
        // Another user always gets the same answer.
        #expect(try await found([.test(1)], of: "zoe").map(\.receipt) == ["receipt of ann"])
    }

    @Test(
        "A run can be replayed only if it was published and kept all answers",
        arguments: Evidence.allCases)
    func replayable(evidence: Evidence) async throws {
        _ = try await nightOfAnn(keeping: evidence)
        let open = try await databaseError { try await database.runs.replayable(run) }
        #expect(open.description.contains("was not published. Name a published run"))
        try await database.ledger.publish(run, at: Run.test().asOf, under: nil)
        if evidence == .all {
            let former = try await database.runs.replayable(run)
            #expect(former.run == .test() && former.usersPerBatch == 7)
        } else {
            let error = try await databaseError { try await database.runs.replayable(run) }
            #expect(error.description.contains("did not keep all answers"))
        }
        let unknown = try await databaseError {
            try await database.runs.replayable(RunID(text: "none"))
        }
        #expect(unknown.description.contains("There is no run none"))
    }

    private func nightOfAnn(keeping evidence: Evidence = .all) async throws -> Batch {
        try await night(["r1": "ann"], usersPerBatch: 7, keeping: evidence)[0]
    }

    private func keep(_ answers: [KeptAnswer], of user: UserID, in batch: Batch) async throws {
        let flush = BatchFlush.test(batch, .test(user, evidence: answers), isDone: false)
        #expect(try await record(flush) == FlushResult(held: [batch.number]))
    }

    private func found(_ answers: [KeptAnswer], of user: UserID) async throws -> [KeptAnswer] {
        try await database.evidence.answers(to: answers.map(\.request), of: user, in: run)
    }
}

extension KeptAnswer {
    /// The answer as it is read: without the digest, which is stored with the finding.
    fileprivate var withoutDigest: KeptAnswer {
        var answer = self
        answer.bodyDigest = nil
        return answer
    }
}
