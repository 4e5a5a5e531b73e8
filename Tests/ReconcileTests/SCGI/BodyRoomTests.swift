import Testing

@testable import Reconcile

/// To add a case: a test with the bytes of bodies in order, and which of them find room.
@Suite("The room for bodies of requests")
struct BodyRoomTests {
    private typealias Place = BodyRoom.Place

    private static let limits = {
        var limits = SCGILimits()
        limits.smallBodyBytes = 10
        limits.smallBodiesBytes = 30
        limits.largeBodiesBytes = 100
        return limits
    }()

    /// Which of the bodies find room beside those before them.
    private static func fitting(_ bodies: [Int], isLarge: Bool) -> [Bool] {
        var room = BodyRoom(limits)
        return bodies.map { bytes in
            var place = Place()
            return room.change(&place, to: Place(bytes: bytes, isLarge: isLarge))
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
        var room = BodyRoom(Self.limits)
        var large = Place()
        var small = Place()
        let isLargeIn = room.change(&large, to: Place(bytes: 100, isLarge: true))
        let isSmallIn = room.change(&small, to: Place(bytes: 10, isLarge: false))
        #expect(isLargeIn)
        #expect(isSmallIn)
    }

    @Test("A place grows with what arrives, and one that may not grow stays as it was")
    func grows() {
        var room = BodyRoom(Self.limits)
        var place = Place()
        let grown = [1, 40, 100, 101].map {
            room.change(&place, to: Place(bytes: $0, isLarge: true))
        }
        #expect(grown == [true, true, true, false])
        #expect(place == Place(bytes: 100, isLarge: true))
        #expect(room.largeBytes == 100)
    }

    @Test("A header's place becomes that of its body, in the other sum if the body is large")
    func moves() {
        var room = BodyRoom(Self.limits)
        var place = Place()
        let moved = [Place(bytes: 20, isLarge: false), Place(bytes: 5, isLarge: true)].map {
            room.change(&place, to: $0)
        }
        #expect(moved == [true, true])
        #expect(room.smallBytes == 0)
        #expect(room.largeBytes == 5)
    }

    @Test("A place that is given back is free again")
    func givenBack() {
        var room = BodyRoom(Self.limits)
        var place = Place()
        let isIn = room.change(&place, to: Place(bytes: 100, isLarge: true))
        #expect(isIn)
        room.giveBack(place)
        #expect(room.largeBytes == 0)
    }
}
