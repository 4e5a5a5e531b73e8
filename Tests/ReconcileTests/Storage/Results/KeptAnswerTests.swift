internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Kept answers")
struct KeptAnswerTests {
    private static let run = Run.test().id

    @Test("A kept answer is read back byte for byte")
    func roundTrip() async throws {
        try await night { test, database, batch in
            let body = #"{"status": 0, "receipt": "a\tb\\ é \#u{1F600}"}"#
            var first = KeptAnswer.test(1, .verified, body: body)
            first.attempts.detail = "tab\there"
            first.attempts.lastStatus = -1
            first.attempts.lastHTTPStatus = 200
            first.attempts.answeredAt = Instant(milliseconds: 1_795_226_400_123)
            first.requests.statuses = [.max, -1, 21_007]
            let second = KeptAnswer.test(2, .rejected(.notAuthentic), body: "{}")
            let third = KeptAnswer.test(3, .unverified(.timeout))
            try await record([first, second, third], of: "ann", in: batch, database)
            #expect(
                try await found([first, second, third], of: "ann", database)
                    == [first, second, third].map(\.withoutDigest))
        }
    }

    @Test("A kept answer is stored with the digest of its body, which findings name")
    func digest() async throws {
        try await night { test, database, batch in
            let answers = [KeptAnswer.test(1, .verified, body: "abc"), .test(2)]
            try await record(answers, of: "ann", in: batch, database)
            let rows = try await test.texts(
                """
                select concat_ws(' ', user_id, receipt_id, body_sha256 = sha256('abc'), environment)
                from reconcile.evidence order by request_sha256
                """)
            #expect(rows == ["ann r1 t Sandbox", "ann r2"])
        }
    }

    @Test("A kept answer is found only by its request digest, and only in its own run")
    func ofOneRun() async throws {
        try await night { _, database, batch in
            let answer = KeptAnswer.test(1, .verified, body: "{}")
            try await record([answer], of: "ann", in: batch, database)
            #expect(try await found([.test(2)], of: "ann", database) == [])
            #expect(try await found([], of: "ann", database) == [])
            let elsewhere = try await database.evidence.answers(
                to: [answer.request], of: "ann", in: RunID(text: "other"))
            #expect(elsewhere == [])
        }
    }

    @Test("Of several answers to one request a user gets the one about the user's own receipt")
    func several() async throws {
        try await night { _, database, batch in
            var answers: [UserID: KeptAnswer] = [:]
            for user in ["ann", "bob", "eve"] as [UserID] {
                var answer = KeptAnswer.test(1, .verified, body: "answer to \(user)")
                answer.receipt = ReceiptID("receipt of \(user)")
                answers[user] = answer
                try await record([answer], of: user, in: batch, database)
            }
            for (user, answer) in answers {
                let found = try await found([answer], of: user, database)
                #expect(found == [answer.withoutDigest])
            }
            // Another user always gets the same answer.
            let other = try await found([.test(1)], of: "zoe", database)
            #expect(other.map(\.receipt) == ["receipt of ann"])
        }
    }

    @Test("A body of several megabytes is kept")
    func large() async throws {
        try await night { _, database, batch in
            let answer = KeptAnswer.test(
                1, .verified, body: String(repeating: "é\u{1F600}", count: 500_000))
            try await record([answer], of: "ann", in: batch, database)
            #expect(
                try await found([answer], of: "ann", database) == [answer.withoutDigest])
        }
    }

    @Test(
        "A run can be replayed only if it was published and kept all answers",
        arguments: Evidence.allCases)
    func replayable(evidence: Evidence) async throws {
        try await night(keeping: evidence) { _, database, _ in
            let open = try await databaseError { try await database.runs.replayable(Self.run) }
            #expect(open.description.contains("was not published. Name a published run"))
            try await database.ledger.publish(Self.run, at: Run.test().asOf, under: nil)
            if evidence == .all {
                let former = try await database.runs.replayable(Self.run)
                #expect(former.run == Run.test() && former.usersPerBatch == 7)
            } else {
                let error = try await databaseError { try await database.runs.replayable(Self.run) }
                #expect(error.description.contains("did not keep all answers"))
            }
            let unknown = try await databaseError {
                try await database.runs.replayable(RunID(text: "none"))
            }
            #expect(unknown.description.contains("There is no run none"))
        }
    }

    private func record(
        _ answers: [KeptAnswer], of user: UserID, in batch: Batch, _ database: Database
    ) async throws {
        let flush = BatchFlush.test(batch, .test(user, evidence: answers), isDone: false)
        let result = try await database.results.record([flush], of: .test())
        #expect(result == FlushResult(held: [batch.number]))
    }

    private func found(
        _ answers: [KeptAnswer], of user: UserID, _ database: Database
    ) async throws -> [KeptAnswer] {
        try await database.evidence.answers(to: answers.map(\.request), of: user, in: Self.run)
    }

    private func night(
        keeping evidence: Evidence = .all,
        _ body: (TestDatabase, Database, Batch) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann")])
            let batches = try await database.openedBatches(usersPerBatch: 7, keeping: evidence)
            try await body(test, database, try #require(batches.first))
        }
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
