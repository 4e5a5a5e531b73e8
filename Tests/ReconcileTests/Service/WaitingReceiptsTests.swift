import Testing

@testable import Reconcile

/// To add a case: a test in which receipts of some bytes enter and leave, and who finds room.
@Suite("Receipts that wait for Apple")
struct WaitingReceiptsTests {
    private static func held(_ bytes: [UInt8], by user: UserID? = nil) -> HeldReceipt {
        HeldReceipt(.receipt(SendableReceipt(encoding: bytes)), from: user)
    }

    /// Of the bytes that receipts of strangers may have, a receipt leaves room for `large` alone.
    private static func almostFull() throws -> WaitingReceipts {
        let waiting = WaitingReceipts()
        let rest = WaitingLimit.mostUnsignedLargeBytes - large.count
        _ = try #require(waiting.enter(held([UInt8](repeating: 8, count: rest)), .unsigned))
        return waiting
    }

    private static let large = [UInt8](repeating: 7, count: WaitingLimit.largestSmall + 1)

    @Test("Without a byte left there is no place for another receipt")
    func full() throws {
        let waiting = try Self.almostFull()
        #expect(waiting.enter(Self.held(Self.large), .unsigned) != nil)
        #expect(waiting.enter(Self.held(Self.large + [7]), .unsigned) == nil)
    }

    @Test("A receipt that waits is as it was, and is gone when the last request leaves")
    func heldOnce() throws {
        let waiting = WaitingReceipts()
        let first = try #require(waiting.enter(Self.held([1, 2]), .written))
        let second = try #require(waiting.enter(Self.held([1, 2]), .written))
        waiting.leave(first)
        let receipt = waiting.receipt(of: second)
        #expect(receipt?.sendable?.bytes == [1, 2])
        #expect(receipt?.sendable?.base64 == Array("AQI=".utf8))
        waiting.leave(second)
        #expect(waiting.receipt(of: second) == nil)
    }

    @Test("The request that brought a receipt no longer holds it while it waits")
    func taken() {
        let waiting = WaitingReceipts()
        let held = Self.held([1])
        _ = waiting.enter(held, .written)
        #expect(held.take() == nil)
    }

    @Test("Requests with one receipt need its bytes once")
    func shared() throws {
        let waiting = try Self.almostFull()
        let places = (0..<10).compactMap { _ in
            waiting.enter(Self.held(Self.large), .unsigned)
        }
        #expect(places.count == 10)
        for place in places { waiting.leave(place) }
    }

    @Test("However many requests have one receipt, there are places for others")
    func crowdOfOne() {
        let waiting = WaitingReceipts()
        let crowd = (0..<2_000).compactMap { _ in waiting.enter(Self.held([1]), .written) }
        #expect(crowd.count == 1_000)
        let others = (0..<900).compactMap { number in
            waiting.enter(Self.held([2, UInt8(number / 256), UInt8(number % 256)]), .written)
        }
        #expect(others.count == 900)
    }

    @Test("The bytes of a receipt are free again when the last request with it leaves")
    func freed() throws {
        let waiting = try Self.almostFull()
        for _ in 0..<10 {
            let places = (0..<2).compactMap { _ in
                waiting.enter(Self.held(Self.large), .unsigned)
            }
            #expect(places.count == 2)
            for place in places { waiting.leave(place) }
        }
    }
}
