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

    @Test("is not seen in fewer than fifty answers, whatever they are")
    mutating func least() {
        #expect(note(49, isRejection: true).isEmpty)
        #expect(!storm.isOn && !storm.doubts(1))
        #expect(note(1, isRejection: true) == [.began])
        #expect(storm.isOn && storm.doubts(1))
    }

    @Test("needs more than a twentieth of the last thousand answers", arguments: [120, 1_000])
    mutating func share(of answers: Int) {
        for _ in 0..<answers / 20 {
            #expect(note(19, isRejection: false).isEmpty)
            #expect(note(1, isRejection: true).isEmpty)
        }
        #expect(!storm.isOn)
        #expect(note(1, isRejection: true) == [.began])
    }

    @Test("bears a twentieth, for ever")
    mutating func twentieth() {
        for _ in 0..<300 {
            #expect(note(19, isRejection: false).isEmpty)
            #expect(note(1, isRejection: true).isEmpty)
        }
        #expect(!storm.isOn && !storm.doubts(1) && !storm.doubts(5_981))
    }

    @Test("is a spell too, which is half of any fifty answers, and too short to be a twentieth")
    mutating func spell() {
        #expect(note(2_000, isRejection: false).isEmpty)
        #expect(note(24, isRejection: true).isEmpty)
        #expect(note(1, isRejection: true) == [.began])
        #expect(note(1_500, isRejection: false) == [.ended])
        // From the first of the fifty in which it was seen to the last.
        #expect((1...storm.answers).filter { storm.doubts($0) } == Array(1_976...2_050))
    }

    @Test("casts doubt on every rejection of the thousand answers before it was seen, and after")
    mutating func doubts() {
        _ = note(2_000, isRejection: false)
        for _ in 0..<60 { _ = note(1, isRejection: true) + note(9, isRejection: false) }
        // Seen with the 51st, and still there.
        #expect((1...2_600).filter { storm.doubts($0) } == Array(1_502...2_600))
    }

    @Test("is not seen in two bad receipts among the first; they are doubted all the same")
    mutating func fewAtFirst() {
        // Each refused twice: how often they are asked must not hang on their order.
        #expect(note(2, isRejection: true).isEmpty)
        #expect(storm.noteAgain(2) == nil && storm.noteAgain(1) == nil)
        #expect(note(56, isRejection: false).isEmpty)
        #expect(!storm.isOn && storm.doubts(1))
        #expect(note(20, isRejection: false).isEmpty)
        #expect(!storm.isOn && !storm.doubts(1))
    }

    @Test("is seen in six refusals of the first answers, and forgotten if they stay so few")
    mutating func manyAtFirst() {
        #expect(note(6, isRejection: true).isEmpty)
        #expect(note(44, isRejection: false) == [.began])
        #expect(storm.isOn && storm.doubts(1))
        #expect(note(70, isRejection: false).isEmpty)
        #expect(!storm.isOn && !storm.doubts(1))
    }

    @Test("has passed when they are rare again; what came later is beyond doubt")
    mutating func passes() {
        _ = note(100, isRejection: true)
        #expect(note(1_900, isRejection: false).isEmpty)
        // The window that begins with the fiftieth is the last with over a twentieth.
        #expect(storm.doubts(1) && storm.doubts(1_049) && !storm.doubts(1_050))
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
        _ = note(999, isRejection: false)
        #expect(!storm.isSettled(1))
        _ = note(1, isRejection: false)
        #expect(storm.isSettled(1) && !storm.doubts(1))
        _ = note(60, isRejection: true)
        #expect(!storm.doubts(1) && storm.doubts(1_061) && storm.isSettled(1_061))
    }

    @Test("is not seen in few receipts that are all refused a second time together")
    mutating func togetherAtTheEnd() {
        for _ in 0..<60 {
            #expect((note(1, isRejection: true) + note(49, isRejection: false)).isEmpty)
        }
        for first in stride(from: 1, to: 3_000, by: 50) { #expect(storm.noteAgain(first) == nil) }
        #expect(!storm.isOn && !(1...3_000).contains { storm.doubts($0) })
    }

    @Test("counts the second refusal of a receipt where the first stood, as an answer of its own")
    mutating func secondRefusals() {
        _ = note(2_000, isRejection: false)
        for _ in 1...26 {
            #expect((note(1, isRejection: true) + note(36, isRejection: false)).isEmpty)
        }
        #expect(!storm.isOn)
        // 51 of 1,025 are not yet over a twentieth; 52 of 1,026 are.
        let firsts = stride(from: 2_001, to: 2_963, by: 37)
        for first in firsts.dropLast() { #expect(storm.noteAgain(first) == nil) }
        #expect(!storm.isOn)
        #expect(storm.noteAgain(2_926) == .began)
        #expect(storm.doubts(2_001) && storm.doubts(2_926) && storm.answers == 2_962)
    }

    @Test("does not count what is refused again after a thousand other answers")
    mutating func late() {
        for _ in 1...40 {
            #expect((note(1, isRejection: true) + note(24, isRejection: false)).isEmpty)
        }
        #expect(note(1_000, isRejection: false).isEmpty)
        for first in stride(from: 1, to: 1_000, by: 25) { #expect(storm.noteAgain(first) == nil) }
        #expect(note(12, isRejection: true).isEmpty)
        #expect(!storm.isOn && !storm.doubts(1) && !storm.doubts(2_012))
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

    @Test("never changes its mind about what is settled", arguments: 1...10 as ClosedRange<UInt64>)
    mutating func steadfast(seed: UInt64) {
        var generator = SeededGenerator(seed)
        var settled: [Int: Bool] = [:]
        var again: [(first: Int, wait: Int)] = []
        for number in 1...12_000 {
            let likelihood = (number / 1_500).isMultiple(of: 2) ? 0.015 : 0.05
            let isRejection = Double.random(in: 0..<1, using: &generator) < likelihood
            _ = storm.note(isRejection: isRejection)
            if isRejection {
                again.append((storm.answers, Int.random(in: 1...900, using: &generator)))
            }
            for (first, wait) in again where first + wait == storm.answers {
                _ = storm.noteAgain(first)
            }
            let some = Int.random(in: max(1, number - 1_500)...number, using: &generator)
            if storm.isSettled(some), settled[some] == nil { settled[some] = storm.doubts(some) }
        }
        #expect(settled.values.contains(true) && settled.values.contains(false))
        #expect(settled.allSatisfy { storm.doubts($0) == $1 })
    }
}
