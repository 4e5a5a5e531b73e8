import Testing

@testable import Reconcile

@Suite("Batches under lease")
struct LeasedBatchesTests {
    private let first = Batch(number: 1, users: nil)
    private let second = Batch(number: 2, users: nil)

    private func leased(_ batches: Batch...) -> LeasedBatches {
        let held = LeasedBatches()
        for batch in batches { held.add(batch) }
        return held
    }

    /// Notes `count` answers of `batch`; what each of them asked for.
    @discardableResult
    private func note(
        _ count: Int, of batch: Batch, in held: LeasedBatches
    ) -> [Bool] {
        (0..<count).map { held.note(.test(UInt8(truncatingIfNeeded: $0)), of: batch) }
    }

    @Test("have one of those who note answers record them, and the others go on, up to a number")
    func duties() {
        let held = leased(first)
        let duties = note(350, of: first, in: held)
        #expect(duties.indices.filter { duties[$0] } == [149] + Array(299..<350))
        #expect(held.mustFlush)
        #expect(held.takeAll(.answered).answers[1]?.count == 350)
        #expect(!held.mustFlush)
        #expect(note(150, of: first, in: held).last == true)
    }

    @Test("take no answer of a batch that is not held, or under another lease")
    func strangers() {
        let held = leased(first)
        note(1, of: second, in: held)
        note(1, of: Batch(number: 1, users: nil, lease: 7), in: held)
        #expect(held.takeAll(.all).answers.isEmpty)
    }

    @Test("are not recorded while answers of theirs are being written")
    func order() {
        let held = leased(first, second)
        note(2, of: first, in: held)
        let (batches, answers) = held.takeAll(.answered)
        #expect(batches.map(\.number) == [1])
        #expect(answers[1]?.count == 2)
        note(1, of: first, in: held)
        #expect(held.takeToRecord(first) == nil)
        #expect(held.takeToRecord(second)?.isEmpty == true)
        held.haveBeenWritten()
        #expect(held.takeToRecord(first)?.count == 1)
    }

    @Test("have their leases renewed until they are recorded")
    func renewals() {
        let held = leased(first, second)
        #expect(Set(held.takeAll(.all).batches.map(\.number)) == [1, 2])
        held.haveBeenWritten()
        _ = held.takeToRecord(first)
        #expect(held.takeAll(.all).batches.map(\.number) == [2])
        held.remove(first)
        held.add(first)
        #expect(Set(held.takeAll(.all).batches.map(\.number)) == [1, 2])
    }

    @Test("keep what is known under a new lease from whoever held an older one")
    func leasedAgain() {
        let held = leased(first)
        held.remove(first)
        #expect(held.takeToRecord(first) == nil)
        let again = Batch(number: 1, users: nil, lease: 7)
        held.add(again)
        note(2, of: again, in: held)
        #expect(held.takeToRecord(first) == nil)
        held.remove(first)
        let (batches, answers) = held.takeAll(.all)
        #expect(batches == [again])
        #expect(answers[1]?.count == 2)
    }

    @Test("are lost to another worker once, and not while they are recorded")
    func loss() {
        let held = leased(first, second)
        _ = held.takeToRecord(second)
        #expect(held.lose(first))
        #expect(!held.lose(first))
        #expect(!held.lose(second))
        #expect(!held.holds(first) && held.holds(second))
    }
}
