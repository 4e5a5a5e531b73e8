import Testing

@testable import Reconcile

@Suite("A storm of rejections")
struct RejectionStormTests {
    private var storm = RejectionStorm()

    private mutating func note(
        _ count: Int, isRejection: Bool
    ) -> [RejectionStorm.Change] {
        (0..<count).compactMap { _ in storm.note(isRejection: isRejection) }
    }

    @Test("is not seen in fewer than fifty answers, two to a refused receipt")
    mutating func least() {
        #expect(note(24, isRejection: true).isEmpty)
        #expect(!storm.isOn && !storm.doubts(1))
        #expect(note(1, isRejection: true) == [.began])
        #expect(storm.isOn && storm.doubts(1))
    }

    @Test("needs more than a twentieth, two to a refused receipt", arguments: [3, 25])
    mutating func share(of receipts: Int) {
        for _ in 0..<receipts {
            #expect(note(38, isRejection: false).isEmpty)
            #expect(note(1, isRejection: true).isEmpty)
        }
        #expect(!storm.isOn)
        #expect(note(1, isRejection: true) == [.began])
    }

    @Test("bears one receipt in forty, for ever")
    mutating func twentieth() {
        for _ in 0..<300 {
            #expect(note(39, isRejection: false).isEmpty)
            #expect(note(1, isRejection: true).isEmpty)
        }
        #expect(!storm.isOn && !storm.doubts(1) && !storm.doubts(12_000))
    }

    @Test("is a spell too: thirteen of 37, which is half of fifty answers, and no twentieth")
    mutating func spell() {
        #expect(note(2_000, isRejection: false).isEmpty)
        #expect(note(12, isRejection: true).isEmpty)
        #expect(note(1, isRejection: true) == [.began])
        #expect(note(1_500, isRejection: false) == [.ended])
        // From the first of the 37 in which it was seen to the last.
        #expect((1...storm.answers).filter { storm.doubts($0) } == Array(1_977...2_037))
    }

    @Test("casts doubt on every rejection of the thousand answers before it was seen, and after")
    mutating func doubts() {
        _ = note(2_000, isRejection: false)
        for _ in 0..<60 { _ = note(1, isRejection: true) + note(9, isRejection: false) }
        // Seen with the 26th, and still there.
        #expect((1...2_600).filter { storm.doubts($0) } == Array(1_252...2_600))
    }

    @Test("is not seen in two bad receipts among the first; they are doubted all the same")
    mutating func fewAtFirst() {
        // How often they are asked must not hang on their order.
        #expect(note(2, isRejection: true).isEmpty)
        #expect(note(56, isRejection: false).isEmpty)
        #expect(!storm.isOn && storm.doubts(1))
        #expect(note(20, isRejection: false).isEmpty)
        #expect(!storm.isOn && !storm.doubts(1))
    }

    @Test("is seen in three receipts among the first, and forgotten if they stay so few")
    mutating func manyAtFirst() {
        #expect(note(3, isRejection: true).isEmpty)
        #expect(note(44, isRejection: false) == [.began])
        #expect(storm.isOn && storm.doubts(1))
        #expect(note(70, isRejection: false).isEmpty)
        #expect(!storm.isOn && !storm.doubts(1))
    }

    @Test("has passed when they are rare again; what came later is beyond doubt")
    mutating func passes() {
        _ = note(100, isRejection: true)
        #expect(note(1_900, isRejection: false).isEmpty)
        // The window that begins with the 75th is the last with over a twentieth.
        #expect(storm.doubts(1) && storm.doubts(1_074) && !storm.doubts(1_075))
        #expect(!storm.isOn)
        #expect(note(1_000, isRejection: false) == [.ended])
        #expect(note(3_000, isRejection: false).isEmpty)
    }

    @Test("is one storm, told once, when it comes and goes within a thousand answers")
    mutating func flickers() {
        #expect(note(950, isRejection: false).isEmpty)
        #expect(note(51, isRejection: true) == [.began])
        for _ in 0..<20 {
            #expect(note(949, isRejection: false).isEmpty)
            #expect(note(51, isRejection: true).isEmpty)
        }
        #expect(storm.doubts(951) && storm.doubts(storm.answers))
    }

    @Test("leaves a rejection settled when a thousand answers have shown no storm")
    mutating func settles() {
        _ = note(1, isRejection: true)
        _ = note(998, isRejection: false)
        #expect(!storm.isSettled(1))
        _ = note(1, isRejection: false)
        #expect(storm.isSettled(1) && !storm.doubts(1))
        _ = note(60, isRejection: true)
        #expect(!storm.doubts(1) && storm.doubts(1_060) && storm.isSettled(1_060))
    }

    @Test("is the same when many answers without a refusal are passed over at once")
    mutating func skips() {
        var other = storm
        for (rejections, others) in [(3, 200), (40, 5_000), (1, 12_345), (30, 10)] {
            _ = note(rejections, isRejection: true)
            for _ in 0..<rejections { _ = other.note(isRejection: true) }
            _ = note(others, isRejection: false)
            _ = other.skip(others)
        }
        #expect(other.answers == storm.answers && other.isOn == storm.isOn)
        let numbers = 1...storm.answers
        #expect(numbers.allSatisfy { other.doubts($0) == storm.doubts($0) })
        #expect(numbers.contains { storm.doubts($0) })
    }

    @Test("ends while answers are passed over, and the next is told again")
    mutating func skipsTheEnd() {
        _ = note(1_000, isRejection: false)
        #expect(note(60, isRejection: true) == [.began])
        #expect(storm.skip(5_000) == .ended)
        #expect(note(60, isRejection: true) == [.began])
    }

    @Test("never changes its mind about what is settled", arguments: 1...10 as ClosedRange<UInt64>)
    mutating func steadfast(seed: UInt64) {
        var generator = SeededGenerator(seed)
        var settled: [Int: Bool] = [:]
        for number in 1...12_000 {
            let likelihood = (number / 1_500).isMultiple(of: 2) ? 0.01 : 0.05
            let isRejection = Double.random(in: 0..<1, using: &generator) < likelihood
            _ = storm.note(isRejection: isRejection)
            let some = Int.random(in: max(1, number - 1_500)...number, using: &generator)
            if storm.isSettled(some), settled[some] == nil { settled[some] = storm.doubts(some) }
        }
        #expect(settled.values.contains(true) && settled.values.contains(false))
        #expect(settled.allSatisfy { storm.doubts($0) == $1 })
    }
}
