internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A recorded answer")
struct AnswerTests {
    private static let run = Run.test().id

    @Test("comes back as it was, byte for byte")
    func roundTrip() async throws {
        try await night { test, database, batch in
            let body = #"{"status": 0, "receipt": "a\tb\\ é \#u{1F600}"}"#
            var first = RecordedAnswer.test(1, .verified, body: body)
            first.attempts.detail = "tab\there"
            first.attempts.lastStatus = -1
            first.attempts.lastHTTPStatus = 200
            first.attempts.answeredAt = Instant(milliseconds: 1_795_226_400_123)
            let second = RecordedAnswer.test(2, .rejected(.notAuthentic), body: "{}")
            let third = RecordedAnswer.test(3, .unverified(.timeout))
            _ = try await database.renew(
                [batch], recording: [1: [first, second, third]], of: Self.run)
            let found = try await answers(database, [first, second, third], batch)
            #expect(found == [first, second, third])
            // Which of them are evidence is known when findings name them.
            let digests = try await test.texts(
                "select count(body_sha256) from reconcile.answer")
            #expect(digests == ["0"])
        }
    }

    @Test("is the first of two to one question, and that of its batch rather than of another")
    func several() async throws {
        try await night { _, database, batch in
            let first = RecordedAnswer.test(1, .rejected(.accountGone), body: "first")
            let second = RecordedAnswer.test(1, .rejected(.notAuthentic), body: "second")
            _ = try await database.renew([batch], recording: [1: [first]], of: Self.run)
            let later = try #require(
                try await database.leaseBatch(of: Self.run, for: 1, besides: []))
            _ = try await database.renew([later], recording: [1: [second]], of: Self.run)
            #expect(try await answers(database, [first], batch) == [first])
            let other = Batch(number: 2, users: nil)
            #expect(try await answers(database, [first], other) == [])
            #expect(try await answers(database, [first], other, orAnyBatch: true) == [first])
        }
    }

    @Test("that refuses a receipt is numbered where that was first refused, were it once")
    func refusals() async throws {
        try await night { _, database, batch in
            // Each is of two attempts; the last is of a release that noted no first refusal.
            let times: [(answered: Int64, refused: Int64?)] = [
                (10, nil), (90, 20), (30, nil), (50, 40), (60, nil), (70, nil),
            ]
            let answers = times.enumerated().map { index, time in
                let isRejected = [1, 5].contains(index)
                var answer = RecordedAnswer.test(
                    UInt8(index), isRejected ? .rejected(.notAuthentic) : .verified, body: "{}")
                answer.attempts.answeredAt = Instant(milliseconds: time.answered)
                answer.attempts.refusedAt = time.refused.map(Instant.init(milliseconds:))
                return answer
            }
            _ = try await database.renew([batch], recording: [1: answers], of: Self.run)
            let history = try await database.refusalHistory(of: Self.run)
            #expect(history.answers == 9)
            #expect(history.refusals.map(\.number) == [3, 6, 9])
            #expect(history.refusals.map(\.question[0]) == [1, 3, 5])
        }
    }

    /// Of a large run the questions and the findings are gone through in parts.
    @Test(
        "is kept after its run as long as it is meant to be",
        arguments: [
            (Evidence.none, []), (.findings, ["evidence"]), (.all, ["evidence", "other"]),
        ], [32, 20_001])
    func evidence(_ case: (evidence: Evidence, kept: [String]), receipts: Int) async throws {
        try await night { test, database, batch in
            // One of each in every part.
            let digits = UInt8(0)..<16
            let ours = digits.map {
                RecordedAnswer.test($0 << 4, .rejected(.accountGone), body: "evidence")
            }
            let others = digits.map {
                RecordedAnswer.test($0 << 4 + 15, .rejected(.accountGone), body: "other")
            }
            let names = digits.map { ReceiptID("r\($0)") }
            try await database.record(
                .test(
                    batch, outcomes: zip(names, ours).map { .test($0, question: $1.question) },
                    findings: zip(digits, names).map { digit, name in
                        .test(Character(String(digit, radix: 16))) { $0.receipt = name }
                    },
                    citedQuestions: Dictionary(
                        uniqueKeysWithValues: zip(names, ours.map(\.question)))),
                answers: ours + others, of: Self.run)
            try await test.execute("update reconcile.batch set receipts_in_scope = \(receipts)")
            let bodies = """
                select concat_ws(' ', convert_from(body, 'UTF8'), count(*), count(body_sha256))
                from reconcile.answer group by body order by body
                """
            try await database.settleEvidence()
            #expect(try await test.texts(bodies) == ["evidence 16 0", "other 16 0"])
            try await database.finish(
                Self.run, as: .published, at: Run.test().asOf, keeping: `case`.evidence)
            try await database.settleEvidence()
            #expect(
                try await test.texts(bodies)
                    == `case`.kept.map { $0 == "other" ? "other 16 0" : "evidence 16 16" })
            #expect(
                try await test.texts("select is_evidence_settled::text from reconcile.run")
                    == ["true"])
        }
    }

    @Test(
        "can be judged again only when its run was published and kept all",
        arguments: Evidence.allCases)
    func replayable(evidence: Evidence) async throws {
        try await night { _, database, _ in
            let open = try await databaseError { try await database.replayable(Self.run) }
            #expect(open.description.contains("was not published. Name a published run"))
            try await database.finish(
                Self.run, as: .published, at: Run.test().asOf, keeping: evidence)
            if evidence == .all {
                let former = try await database.replayable(Self.run)
                #expect(former.run == Run.test() && former.usersPerBatch == 7)
            } else {
                let error = try await databaseError { try await database.replayable(Self.run) }
                #expect(error.description.contains("kept not all of its answers"))
            }
            let unknown = try await databaseError {
                try await database.replayable(RunID(text: "none"))
            }
            #expect(unknown.description.contains("There is no run none"))
        }
    }

    private func answers(
        _ database: Database, _ answers: [RecordedAnswer], _ batch: Batch,
        orAnyBatch: Bool = false
    ) async throws -> [RecordedAnswer] {
        try await database.answers(
            to: answers.map(\.question), of: Self.run, in: batch, orAnyBatch: orAnyBatch)
    }

    /// An open run of one batch, which is leased.
    private func night(
        _ body: (TestDatabase, Database, Batch) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann")])
            _ = try await database.open(.test(), codeVersion: "1", settings: "{}")
            _ = try await database.cutBatches(of: .test(), usersPerBatch: 7)
            let batch = try await database.leaseBatch(of: Self.run, for: 1, besides: [])
            try await body(test, database, try #require(batch))
        }
    }
}
