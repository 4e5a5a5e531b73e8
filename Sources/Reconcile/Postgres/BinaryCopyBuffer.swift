/// Rows in the binary format of `copy … from stdin (format binary)`, in which bytes need no
/// hexadecimal encoding.
///
/// Source: PostgreSQL, COPY, "Binary Format". Each column must be appended with its own type.
struct BinaryCopyBuffer: Sendable {
    /// Oids in `pg_type`, the same on every server.
    private static let textType: Int32 = 25
    private static let intType: Int32 = 23
    private static let bigintType: Int32 = 20
    private static let timestampType: Int32 = 1_184

    /// The header of the copy and the rows since.
    private(set) var bytes: [UInt8] =
        Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)

    mutating func removeSent() { bytes.removeAll(keepingCapacity: true) }

    mutating func end() { append(bigEndian: Int16(-1)) }

    mutating func beginRow(columns: Int) { append(bigEndian: Int16(columns)) }

    /// Appends a `text`. A NUL, which PostgreSQL cannot store, becomes U+FFFD.
    mutating func append(_ text: String?) {
        guard var text else { return appendNull() }
        text.withUTF8 { append(utf8: $0) }
    }

    /// Appends the bytes of a `text`, a NUL as U+FFFD.
    mutating func append(utf8: UnsafeBufferPointer<UInt8>) {
        if utf8.contains(0) {
            let corrected = utf8.flatMap { $0 == 0 ? Array("\u{FFFD}".utf8) : [$0] }
            append(bytes: corrected)
        } else {
            appendLength(utf8.count)
            bytes.append(contentsOf: utf8)
        }
    }

    mutating func append(bytes value: [UInt8]?) {
        guard let value else { return appendNull() }
        appendLength(value.count)
        bytes.append(contentsOf: value)
    }

    /// Appends a `jsonb`, whose binary format is a version and the JSON.
    mutating func append(jsonb json: [UInt8]) {
        appendLength(json.count + 1)
        bytes.append(1)
        bytes.append(contentsOf: json)
    }

    mutating func append(_ flag: Bool?) {
        guard let flag else { return appendNull() }
        appendLength(1)
        bytes.append(flag ? 1 : 0)
    }

    mutating func append(int number: Int?) {
        guard let number else { return appendNull() }
        appendLength(4)
        append(bigEndian: Int32(clamping: number))
    }

    mutating func append(bigint number: Int?) {
        guard let number else { return appendNull() }
        appendLength(8)
        append(bigEndian: Int64(number))
    }

    /// Appends a `timestamptz`, given in milliseconds since 1970; out of its range, an infinity.
    mutating func append(timestamp milliseconds: Int64?) {
        guard let milliseconds else { return appendNull() }
        appendLength(8)
        append(bigEndian: Self.microseconds(milliseconds))
    }

    /// Microseconds since 2000-01-01T00:00:00Z; minimum and maximum are PostgreSQL's infinities.
    private static func microseconds(_ milliseconds: Int64) -> Int64 {
        guard milliseconds >= PostgresTimestamp.finite.lowerBound else { return .min }
        guard milliseconds < PostgresTimestamp.finite.upperBound else { return .max }
        return (milliseconds - 946_684_800_000) * 1_000
    }

    mutating func append(texts: [String]) {
        append(texts, of: Self.textType) { $0.append($1) }
    }

    mutating func append(ints numbers: [Int]) {
        append(numbers, of: Self.intType) { $0.append(int: $1) }
    }

    mutating func append(bigints numbers: [Int64]) {
        append(numbers, of: Self.bigintType) { $0.append(bigint: Int($1)) }
    }

    /// Appends a `timestamptz[]`, given in milliseconds since 1970.
    mutating func append(timestamps milliseconds: [Int64]) {
        append(milliseconds, of: Self.timestampType) { $0.append(timestamp: $1) }
    }

    /// Appends an array with one dimension, or none when it is empty.
    private mutating func append<Element>(
        _ elements: [Element], of type: Int32, _ append: (inout Self, Element) -> Void
    ) {
        let start = bytes.count
        appendLength(0)
        self.append(bigEndian: Int32(elements.isEmpty ? 0 : 1))
        self.append(bigEndian: Int32(0))
        self.append(bigEndian: type)
        if !elements.isEmpty {
            self.append(bigEndian: Int32(clamping: elements.count))
            self.append(bigEndian: Int32(1))
            for element in elements { append(&self, element) }
        }
        let size = Int32(clamping: bytes.count - start - 4).bigEndian
        withUnsafeBytes(of: size) { bytes.replaceSubrange(start..<start + 4, with: $0) }
    }

    private mutating func appendNull() { append(bigEndian: Int32(-1)) }

    private mutating func appendLength(_ count: Int) { append(bigEndian: Int32(clamping: count)) }

    private mutating func append(bigEndian number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}

enum PostgresTimestamp {
    /// Finite values in milliseconds since 1970: 4713-11-24 BC to 294276-12-31, the range that
    /// PostgreSQL documents.
    static let finite: Range<Int64> = -210_866_803_200_000..<9_224_318_016_000_000
}
