import Testing

@testable import Reconcile

@Suite("The places of requests that wait for Apple")
struct ApplePlacesTests {
    private static let genuine = ApplePlaces.Visitor(bytes: 5_000, isGenuine: true)
    private static let unsigned = ApplePlaces.Visitor(bytes: 5_000, isGenuine: false)

    @Test("Receipts that Apple did not sign take at most half of the places")
    func unsigned() {
        var places = ApplePlaces()
        func entered(_ visitor: ApplePlaces.Visitor, of count: Int) -> Int {
            (0..<count).count { _ in places.enter(visitor) }
        }
        #expect(entered(Self.unsigned, of: 600) == 500)
        #expect(entered(Self.genuine, of: 600) == 500)
        places.leave(Self.unsigned)
        #expect(entered(Self.genuine, of: 2) == 1)
        #expect(entered(Self.unsigned, of: 1) == 0)
    }

    /// As large as a receipt with five hundred purchases.
    private static func large(isGenuine: Bool) -> ApplePlaces.Visitor {
        ApplePlaces.Visitor(bytes: 176_000, isGenuine: isGenuine)
    }

    @Test("All receipts that wait have 64 MiB at most, and the small ones among them have places")
    func bounded() {
        var places = ApplePlaces()
        let large = (0..<700).count { _ in places.enter(Self.large(isGenuine: true)) }
        #expect(large * 176_000 <= 64 << 20)
        #expect(large >= 150)
        let small = (large..<1_000).count { _ in places.enter(Self.genuine) }
        #expect(small == 1_000 - large)
        #expect(large * 176_000 + small * 5_000 <= 64 << 20)
    }

    @Test("Large receipts that Apple did not sign leave half of the bytes to those that it signed")
    func unsignedBytes() {
        var places = ApplePlaces()
        let unsigned = (0..<500).count { _ in places.enter(Self.large(isGenuine: false)) }
        let genuine = (0..<500).count { _ in places.enter(Self.large(isGenuine: true)) }
        #expect(unsigned > 0)
        #expect(abs(unsigned - genuine) <= 1)
    }

    @Test("One receipt as large as a request may be has a place, signed or not")
    func largest() {
        for isGenuine in [true, false] {
            var places = ApplePlaces()
            let isIn = places.enter(.init(bytes: 12 << 20, isGenuine: isGenuine))
            #expect(isIn)
        }
    }
}
