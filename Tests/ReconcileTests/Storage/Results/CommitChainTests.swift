import Testing

@testable import Reconcile

/// To add a case: an `Answer` with the last flush that the database knows, and what follows from
/// it.
@Suite("The chain of a worker's flushes")
struct CommitChainTests {
    fileprivate struct Answer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let last: Int?
        let continuity: CommitChain.Link.Continuity
    }

    private static let answers = [
        Answer(testDescription: "the flush before", last: 11, continuity: .follows),
        Answer(testDescription: "this flush", last: 12, continuity: .tookEffect),
        Answer(testDescription: "an earlier flush", last: 10, continuity: .isBroken),
        Answer(testDescription: "another worker's flush", last: 77, continuity: .isBroken),
        Answer(testDescription: "a registration again", last: 0, continuity: .isBroken),
        Answer(testDescription: "no such worker", last: nil, continuity: .isBroken),
    ]

    @Test("The last flush that the database has says what becomes of the next", arguments: answers)
    fileprivate func continuity(answer: Answer) {
        var chain = CommitChain(worker: 1, first: 10)
        chain.append(chain.next(11))
        #expect(chain.next(12).continuity(after: answer.last) == answer.continuity)
    }

    @Test("A flush that is not appended leaves the next one on the flush before")
    func again() {
        let chain = CommitChain(worker: 1, first: 10)
        #expect(chain.next(11).previous == 10)
        #expect(chain.next(12).previous == 10)
    }

    @Test("Numbers are drawn anew for each flush and each registration")
    func drawn() {
        let chain = CommitChain(worker: 1)
        #expect(chain.next().number != chain.next().number)
        #expect(CommitChain(worker: 1) != chain)
    }
}
