/// A `bytea` in the text form of PostgreSQL.
enum PostgresBytea {
    /// `text` as UTF-8, whatever encoding the database is in.
    static func text(_ text: String) -> String { Self.text(Array(text.utf8)) }

    static func text(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: 2 + 2 * bytes.count) { text in
            (text[0], text[1]) = (UInt8(ascii: "\\"), UInt8(ascii: "x"))
            for (index, byte) in bytes.enumerated() {
                text[2 * index + 2] = digit(byte >> 4)
                text[2 * index + 3] = digit(byte & 15)
            }
            return 2 + 2 * bytes.count
        }
    }

    /// The bytes that `text` stands for: `\x` and two lower-case digits for each, as PostgreSQL
    /// prints them. Nil for anything else.
    ///
    /// Eight bytes at a time: one by one, recorded answers of 25 KB were a quarter of the cost of a
    /// replay.
    static func bytes(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard text.count.isMultiple(of: 2), text.starts(with: [0x5C, 0x78]),
            let digits = text.baseAddress?.advanced(by: 2)
        else { return nil }
        let count = text.count / 2 - 1
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, size in
            size = count
            var wrong = SIMDMask<SIMD16<Int8>>(repeating: false)
            var place = 0
            while place + 8 <= count {
                let (values, areWrong) = values(
                    of: digits.loadUnaligned(fromByteOffset: 2 * place, as: SIMD16<UInt8>.self))
                wrong .|= areWrong
                UnsafeMutableRawBufferPointer(bytes).storeBytes(
                    of: values.evenHalf &<< 4 | values.oddHalf, toByteOffset: place,
                    as: SIMD8<UInt8>.self)
                place += 8
            }
            isWhole = !any(wrong)
            while place < count {
                var pair = SIMD16<UInt8>(repeating: UInt8(ascii: "0"))
                (pair[0], pair[1]) = (text[2 * place + 2], text[2 * place + 3])
                let (values, areWrong) = values(of: pair)
                if any(areWrong) { isWhole = false }
                bytes[place] = values[0] << 4 | values[1]
                place += 1
            }
        }
        return isWhole ? bytes : nil
    }

    /// What sixteen digits are worth, and which of them are none.
    @inline(__always)
    private static func values(
        of digits: SIMD16<UInt8>
    ) -> (SIMD16<UInt8>, areWrong: SIMDMask<SIMD16<Int8>>) {
        let areLetters = digits .>= UInt8(ascii: "a")
        let zero = SIMD16(repeating: UInt8(ascii: "0"))
        let values = digits &- zero.replacing(with: UInt8(ascii: "a") - 10, where: areLetters)
        let most = SIMD16<UInt8>(repeating: 9).replacing(with: 15, where: areLetters)
        return (values, values .> most)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
