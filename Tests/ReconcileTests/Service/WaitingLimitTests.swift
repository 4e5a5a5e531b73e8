import Testing

@testable import Reconcile

/// To add a case: a test in which an `Entry` with its bytes enters until a limit is reached.
@Suite("The limit of receipts that wait for Apple")
struct WaitingLimitTests {
    private static let apples = WaitingLimit.Entry(bytes: 5_000, isApples: true)
    private static let unsigned = WaitingLimit.Entry(bytes: 5_000, isApples: false)

    @Test("Receipts that Apple did not write take at most half of the number")
    func unsigned() {
        var limit = WaitingLimit()
        func entered(_ entry: WaitingLimit.Entry, of count: Int) -> Int {
            (0..<count).count { _ in limit.enter(entry) }
        }
        #expect(entered(Self.unsigned, of: 600) == 500)
        #expect(entered(Self.apples, of: 600) == 500)
        limit.leave(Self.unsigned)
        #expect(entered(Self.apples, of: 2) == 1)
        #expect(entered(Self.unsigned, of: 1) == 0)
    }

    /// As large as a receipt with five hundred purchases.
    private static func large(isApples: Bool) -> WaitingLimit.Entry {
        WaitingLimit.Entry(bytes: 176_000, isApples: isApples)
    }

    @Test("All receipts that wait have 64 MiB at most, and leave out no small one")
    func bounded() {
        var limit = WaitingLimit()
        let large = (0..<700).count { _ in limit.enter(Self.large(isApples: true)) }
        #expect(large * 176_000 <= 64 << 20)
        #expect(large >= 150)
        let small = (large..<1_000).count { _ in limit.enter(Self.apples) }
        #expect(small == 1_000 - large)
        #expect(large * 176_000 + small * 5_000 <= 64 << 20)
    }

    @Test("Large receipts that Apple did not write leave half of the bytes to those that it wrote")
    func unsignedBytes() {
        var limit = WaitingLimit()
        let unsigned = (0..<500).count { _ in limit.enter(Self.large(isApples: false)) }
        let apples = (0..<500).count { _ in limit.enter(Self.large(isApples: true)) }
        #expect(unsigned > 0)
        #expect(abs(unsigned - apples) <= 1)
    }

    @Test("One receipt as large as a request may be is let in, whether or not Apple wrote it")
    func largest() {
        for isApples in [true, false] {
            var limit = WaitingLimit()
            let isIn = limit.enter(.init(bytes: 12 << 20, isApples: isApples))
            #expect(isIn)
        }
    }
}
