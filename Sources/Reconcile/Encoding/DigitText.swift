/// A text of digits, kept as a number: at most 19, and no zero before the others.
struct DigitText: Hashable, Sendable {
    let value: UInt64
    private let count: UInt8

    /// Nil for a text that is not exactly what `withDigits` would give.
    init?(_ utf8: UnsafeBufferPointer<UInt8>) {
        guard (1...Self.mostDigits).contains(utf8.count) else { return nil }
        guard utf8[0] != UInt8(ascii: "0") || utf8.count == 1 else { return nil }
        var value: UInt64 = 0
        for byte in utf8 {
            guard byte.isDigit else { return nil }
            value = value &* 10 &+ UInt64(byte &- 0x30)
        }
        self.value = value
        count = UInt8(utf8.count)
    }

    /// Each number of so many digits fits into 64 bits.
    private static let mostDigits = 19

    func withDigits<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        var digits = InlineArray<19, UInt8>(repeating: 0)
        let count = Int(count)
        var rest = value
        for index in (0..<count).reversed() {
            digits[index] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30
            rest /= 10
        }
        return digits.span.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[..<count]))
        }
    }

    /// Whether the digits come before those of `other` in the order of texts: 120 before 13.
    func digitsPrecede(_ other: DigitText) -> Bool {
        // The shorter one is filled up with zeros. A text comes after one that it begins with.
        if count <= other.count {
            let own = value.followed(byZeros: other.count - count)
            return count == other.count ? own < other.value : own <= other.value
        }
        return value < other.value.followed(byZeros: count - other.count)
    }
}

extension UInt64 {
    fileprivate func followed(byZeros count: UInt8) -> UInt64 {
        (0..<count).reduce(self) { number, _ in number * 10 }
    }
}

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }
}
