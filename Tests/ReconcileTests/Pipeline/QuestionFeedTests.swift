import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The feed of questions", .timeLimit(.minutes(5)))
struct QuestionFeedTests {
    @Test("gives the questions of one batch after another, each with its place")
    func order() async throws {
        let batches = BoundedQueue<UnansweredBatch>(capacity: 2)
        for number in 1...2 { try await batches.send(try Self.batch(number, receipts: 3)) }
        batches.finish()
        let feed = QuestionFeed(batches: batches, answered: BoundedQueue(capacity: 1))
        var places: [[Int]] = []
        for try await element in feed {
            places.append([element.batch.batch.number, element.place])
        }
        #expect(places == [[1, 0], [1, 1], [1, 2], [2, 0], [2, 1], [2, 2]])
    }

    @Test("begins no batch while an earlier one waits to be recorded")
    func backpressure() async throws {
        let batches = BoundedQueue<UnansweredBatch>(capacity: 2)
        let answered = BoundedQueue<OpenBatch>(capacity: 1)
        let first = try Self.batch(1, receipts: 1)
        try await answered.send(first.batch)
        try await batches.send(try Self.batch(2, receipts: 1))
        batches.finish()
        let feed = QuestionFeed(batches: batches, answered: answered)
        let asking = Task { try await feed.first { _ in true }?.batch.batch.number }
        await expectWaiting(asking)
        #expect(try await answered.next() === first.batch)
        #expect(try await asking.value == 2)
    }

    private static func batch(_ number: Int, receipts count: Int) throws -> UnansweredBatch {
        let stored = (0..<count).map { index in
            StoredReceipt(
                id: "r", user: "ann", bundle: "acme",
                data: ReceiptData(TestDatabase.receipt("\(number)-\(index)")), storedAt: .asOf)
        }
        let receipts = BatchReceipts(
            valid: stored, invalid: [], snapshot: ReceiptSnapshot(digest: nil, stamps: []))
        let (batch, questions) = OpenBatch.open(
            Batch(number: number, users: nil), receipts,
            with: try .asking(try ScriptedApple(status: 0)))
        return UnansweredBatch(batch: batch, questions: questions)
    }
}
