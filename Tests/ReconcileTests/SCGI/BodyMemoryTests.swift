import Testing

@testable import Reconcile

/// To add a case: a test with the bytes of bodies in order, and which of them fit.
@Suite("The memory for bodies of requests")
struct BodyMemoryTests {
    private typealias Share = BodyMemory.Share

    private static let limits = {
        var limits = SCGILimits()
        limits.smallBodyBytes = 10
        limits.smallBodiesBytes = 30
        limits.largeBodiesBytes = 100
        return limits
    }()

    /// Which of the bodies find memory beside those before them.
    private static func fitting(_ bodies: [Int], isLarge: Bool) -> [Bool] {
        var memory = BodyMemory(limits)
        return bodies.map { bytes in
            var share = Share()
            return memory.resize(&share, to: Share(bytes: bytes, isLarge: isLarge))
        }
    }

    @Test("Large bodies share one sum and small ones another, up to the last byte")
    func sums() {
        let large = Self.fitting([60, 41, 40, 11], isLarge: true)
        #expect(large == [true, false, true, false])
        let small = Self.fitting([10, 10, 10, 1, 0], isLarge: false)
        #expect(small == [true, true, true, false, true])
    }

    @Test("Large bodies keep no small one out")
    func apart() {
        var memory = BodyMemory(Self.limits)
        var large = Share()
        var small = Share()
        let isLargeIn = memory.resize(&large, to: Share(bytes: 100, isLarge: true))
        let isSmallIn = memory.resize(&small, to: Share(bytes: 10, isLarge: false))
        #expect(isLargeIn)
        #expect(isSmallIn)
    }

    @Test("A share grows with what arrives, and one that may not grow stays as it was")
    func grows() {
        var memory = BodyMemory(Self.limits)
        var share = Share()
        let grown = [1, 40, 100, 101].map {
            memory.resize(&share, to: Share(bytes: $0, isLarge: true))
        }
        #expect(grown == [true, true, true, false])
        #expect(share == Share(bytes: 100, isLarge: true))
        #expect(memory.largeBytes == 100)
    }

    @Test("A header's share becomes that of its body, in the other sum if the body is large")
    func moves() {
        var memory = BodyMemory(Self.limits)
        var share = Share()
        let moved = [Share(bytes: 20, isLarge: false), Share(bytes: 5, isLarge: true)].map {
            memory.resize(&share, to: $0)
        }
        #expect(moved == [true, true])
        #expect(memory.smallBytes == 0)
        #expect(memory.largeBytes == 5)
    }

    @Test("A share that is given back is free again")
    func givenBack() {
        var memory = BodyMemory(Self.limits)
        var share = Share()
        let isIn = memory.resize(&share, to: Share(bytes: 100, isLarge: true))
        #expect(isIn)
        memory.release(share)
        #expect(memory.largeBytes == 0)
    }
}
