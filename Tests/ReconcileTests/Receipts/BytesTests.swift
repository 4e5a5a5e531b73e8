import Testing

@testable import Reconcile

@Suite("A number made of bytes")
struct BytesTests {
    @Test("is another for a receipt that differs in one byte", arguments: [31, 32, 5_991])
    func onePlace(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var numbers: Set<UInt64> = [bytes.mixed]
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 1
            numbers.insert(other.mixed)
        }
        #expect(numbers.count == count + 1)
    }
}
