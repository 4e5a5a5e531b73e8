/// Rows in the binary format of `copy … from stdin (format binary)`: bytes go as they are, without
/// being written out in digits.
///
/// Source: PostgreSQL, COPY, "Binary Format". Every column is appended as its own type.
struct BinaryCopyBuffer: Sendable {
    /// What begins a copy, and the rows since.
    private(set) var bytes: [UInt8] =
        Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)

    /// Makes room for more rows, after those in it were sent.
    mutating func removeSent() { bytes.removeAll(keepingCapacity: true) }

    /// Ends the last row.
    mutating func end() { append(bigEndian: Int16(-1)) }

    mutating func beginRow(columns: Int) { append(bigEndian: Int16(columns)) }

    /// `text`. A NUL, which PostgreSQL cannot store, becomes U+FFFD.
    mutating func append(_ text: String?) {
        guard var text else { return appendNull() }
        text.withUTF8 { utf8 in
            if utf8.contains(0) {
                let mended = utf8.flatMap { $0 == 0 ? Array("\u{FFFD}".utf8) : [$0] }
                append(bytes: mended)
            } else {
                appendLength(utf8.count)
                bytes.append(contentsOf: utf8)
            }
        }
    }

    /// `bytea`.
    mutating func append(bytes value: [UInt8]?) {
        guard let value else { return appendNull() }
        appendLength(value.count)
        bytes.append(contentsOf: value)
    }

    /// `int`.
    mutating func append(int number: Int?) {
        guard let number else { return appendNull() }
        appendLength(4)
        append(bigEndian: Int32(clamping: number))
    }

    /// `bigint`.
    mutating func append(bigint number: Int?) {
        guard let number else { return appendNull() }
        appendLength(8)
        append(bigEndian: Int64(number))
    }

    /// `timestamptz`, given in milliseconds since 1970. What lies outside of its range is
    /// `infinity` or `-infinity`.
    mutating func append(timestamp milliseconds: Int64?) {
        guard let milliseconds else { return appendNull() }
        appendLength(8)
        append(bigEndian: Self.microseconds(milliseconds))
    }

    /// PostgreSQL counts microseconds from 2000-01-01T00:00:00Z. The least and the greatest number
    /// are its infinities.
    private static func microseconds(_ milliseconds: Int64) -> Int64 {
        guard milliseconds >= PostgresTimestamp.finite.lowerBound else { return .min }
        guard milliseconds < PostgresTimestamp.finite.upperBound else { return .max }
        return (milliseconds - 946_684_800_000) * 1_000
    }

    /// `jsonb`.
    mutating func append(json text: String) {
        appendLength(text.utf8.count + 1)
        bytes.append(1)  // The version of jsonb's binary form.
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func appendNull() { append(bigEndian: Int32(-1)) }

    private mutating func appendLength(_ count: Int) { append(bigEndian: Int32(clamping: count)) }

    private mutating func append(bigEndian number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
