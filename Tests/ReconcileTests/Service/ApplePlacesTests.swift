import Testing

@testable import Reconcile

/// To add a case: a test in which a `Visitor` with its bytes enters until there is no room.
@Suite("The places of requests that wait for Apple")
struct ApplePlacesTests {
    private static let apples = ApplePlaces.Visitor(bytes: 5_000, isApples: true)
    private static let unsigned = ApplePlaces.Visitor(bytes: 5_000, isApples: false)

    @Test("Receipts that Apple did not write take at most half of the places")
    func unsigned() {
        var places = ApplePlaces()
        func entered(_ visitor: ApplePlaces.Visitor, of count: Int) -> Int {
            (0..<count).count { _ in places.enter(visitor) }
        }
        #expect(entered(Self.unsigned, of: 600) == 500)
        #expect(entered(Self.apples, of: 600) == 500)
        places.leave(Self.unsigned)
        #expect(entered(Self.apples, of: 2) == 1)
        #expect(entered(Self.unsigned, of: 1) == 0)
    }

    /// As large as a receipt with five hundred purchases.
    private static func large(isApples: Bool) -> ApplePlaces.Visitor {
        ApplePlaces.Visitor(bytes: 176_000, isApples: isApples)
    }

    @Test("All receipts that wait have 64 MiB at most, and the small ones among them have places")
    func bounded() {
        var places = ApplePlaces()
        let large = (0..<700).count { _ in places.enter(Self.large(isApples: true)) }
        #expect(large * 176_000 <= 64 << 20)
        #expect(large >= 150)
        let small = (large..<1_000).count { _ in places.enter(Self.apples) }
        #expect(small == 1_000 - large)
        #expect(large * 176_000 + small * 5_000 <= 64 << 20)
    }

    @Test("Large receipts that Apple did not write leave half of the bytes to those that it wrote")
    func unsignedBytes() {
        var places = ApplePlaces()
        let unsigned = (0..<500).count { _ in places.enter(Self.large(isApples: false)) }
        let apples = (0..<500).count { _ in places.enter(Self.large(isApples: true)) }
        #expect(unsigned > 0)
        #expect(abs(unsigned - apples) <= 1)
    }

    @Test("One receipt as large as a request may be has a place, whoever wrote it")
    func largest() {
        for isApples in [true, false] {
            var places = ApplePlaces()
            let isIn = places.enter(.init(bytes: 12 << 20, isApples: isApples))
            #expect(isIn)
        }
    }
}
