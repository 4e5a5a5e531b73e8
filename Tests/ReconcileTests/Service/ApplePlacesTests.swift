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

    @Test("Large receipts share 64 MiB, and keep no small one out")
    func large() {
        var places = ApplePlaces()
        let large = ApplePlaces.Visitor(bytes: 16 << 20, isGenuine: true)
        let largestSmall = ApplePlaces.Visitor(bytes: 256 << 10, isGenuine: true)
        let entered = [large, large, large, large, large, Self.genuine, largestSmall].map {
            places.enter($0)
        }
        #expect(entered == [true, true, true, true, false, true, true])
        places.leave(large)
        let next = places.enter(large)
        #expect(next)
    }
}
