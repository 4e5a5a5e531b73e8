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

    @Test("is not seen in fewer than fifty of them, however many answers there are")
    mutating func least() {
        #expect(note(49, isRejection: true).isEmpty)
        #expect(!storm.isOn)
        #expect(note(1, isRejection: true) == [.began])
        #expect(storm.isOn)
    }

    @Test("needs more than a twentieth of the last thousand answers")
    mutating func share() {
        #expect(note(5_000, isRejection: false).isEmpty)
        #expect(note(50, isRejection: true).isEmpty)
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

    @Test("casts doubt on every rejection of the thousand answers at its beginning, and after")
    mutating func doubts() {
        _ = note(2_000, isRejection: false)
        _ = note(60, isRejection: true)
        // Seen with the 51st.
        #expect((1...2_100).filter { storm.doubts($0) } == Array(1_052...2_100))
    }

    @Test("has passed when they are rare again; what came later is beyond doubt")
    mutating func passes() {
        _ = note(100, isRejection: true)
        #expect(note(899, isRejection: false).isEmpty)
        #expect(storm.isOn)
        #expect(note(1, isRejection: false).isEmpty)
        #expect(note(50, isRejection: false).isEmpty)
        #expect(!storm.isOn)
        let last = storm.answers
        #expect(storm.doubts(1) && storm.doubts(last) && !storm.doubts(last + 1))
        #expect(note(999, isRejection: false).isEmpty)
        #expect(note(1, isRejection: false) == [.ended])
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

    @Test("never changes its mind about what is settled", arguments: 1...10 as ClosedRange<UInt64>)
    mutating func steadfast(seed: UInt64) {
        var generator = SeededGenerator(seed)
        var settled: [Int: Bool] = [:]
        for number in 1...12_000 {
            let likelihood = (number / 1_500).isMultiple(of: 2) ? 0.02 : 0.09
            let isRejection = Double.random(in: 0..<1, using: &generator) < likelihood
            _ = storm.note(isRejection: isRejection)
            let some = Int.random(in: max(1, number - 1_500)...number, using: &generator)
            if storm.isSettled(some), settled[some] == nil { settled[some] = storm.doubts(some) }
        }
        #expect(settled.values.contains(true) && settled.values.contains(false))
        #expect(settled.allSatisfy { storm.doubts($0) == $1 })
    }
}
