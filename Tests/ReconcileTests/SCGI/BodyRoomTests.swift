import Testing

@testable import Reconcile

@Suite("The room for bodies of requests")
struct BodyRoomTests {
    private static let limits = {
        var limits = SCGILimits()
        limits.smallBodyBytes = 10
        limits.smallBodiesBytes = 30
        limits.largeBodiesBytes = 100
        return limits
    }()

    @Test("Large bodies share one sum and small ones another, up to the last byte")
    func sums() {
        var room = BodyRoom(Self.limits)
        let large = [60, 41, 40, 11].map { room.take($0) }
        #expect(large == [true, false, true, false])
        let small = [10, 10, 10, 1, 0].map { room.take($0) }
        #expect(small == [true, true, true, false, true])
    }

    @Test("A place that is given back is free again, and a refused one was never taken")
    func givenBack() {
        var room = BodyRoom(Self.limits)
        let taken = [101, 100, 10].map { room.take($0) }
        #expect(taken == [false, true, true])
        room.giveBack(100)
        #expect(room.largeBytes == 0)
        room.giveBack(10)
        #expect(room.smallBytes == 0)
    }
}
