extension Collection<UInt8> {
    /// Lower-case hexadecimal, two digits a byte.
    var hexadecimal: String {
        String(unsafeUninitializedCapacity: 2 * count) { text in
            var end = 0
            for byte in self {
                text[end] = byte.highDigit
                text[end + 1] = (byte << 4).highDigit
                end += 2
            }
            return end
        }
    }
}

extension UInt8 {
    fileprivate var highDigit: UInt8 {
        self >> 4 < 10 ? UInt8(ascii: "0") + self >> 4 : UInt8(ascii: "a") - 10 + self >> 4
    }
}
