extension Instant {
    /// PostgreSQL's input format of a `timestamptz`, in milliseconds; `infinity` or `-infinity`
    /// outside of its range.
    var timestamptz: String {
        guard milliseconds >= PostgresTimestamp.finite.lowerBound else { return "-infinity" }
        guard milliseconds < PostgresTimestamp.finite.upperBound else { return "infinity" }
        let (date, rest) = civil
        // There is no year 0: it is 1 BC.
        let year = date.year > 0 ? date.year : 1 - date.year
        let day = [pad(year, 4), pad(date.month, 2), pad(date.day, 2)].joined(separator: "-")
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60]
        return day + " " + time.map { pad($0, 2) }.joined(separator: ":") + "."
            + pad(rest % 1_000, 3) + "+00" + (date.year > 0 ? "" : " BC")
    }
}

extension Instant {
    /// Parses PostgreSQL's output of a `timestamptz` in ISO style and UTC, for example `2026-11-21
    /// 02:00:00.123456+00`. Rounds microseconds down. Nil for other text.
    init?(timestamptz bytes: UnsafeRawBufferPointer) {
        var reader = DigitReader(rest: bytes[...])
        if reader.rest.first == UInt8(ascii: "i"), bytes.elementsEqual("infinity".utf8) {
            self = .distantFuture
            return
        }
        if reader.rest.first == UInt8(ascii: "-"), bytes.elementsEqual("-infinity".utf8) {
            self = .distantPast
            return
        }
        guard let year = reader.number(), reader.skip("-"), let month = reader.number(),
            reader.skip("-"), let day = reader.number(), reader.skip(" "),
            let hour = reader.number(), reader.skip(":"), let minute = reader.number(),
            reader.skip(":"), let second = reader.number()
        else { return nil }
        var microsecond: Int64 = 0
        if reader.skip(".") {
            guard let fraction = reader.fraction() else { return nil }
            microsecond = fraction
        }
        guard reader.skip("+"), reader.skip("0"), reader.skip("0") else { return nil }
        let isBeforeChrist = reader.rest.elementsEqual(" BC".utf8)
        let date = CivilDate(year: isBeforeChrist ? 1 - year : year, month: month, day: day)
        guard reader.rest.isEmpty || isBeforeChrist,
            let instant = Instant(
                date: date, hour: hour, minute: minute, second: second,
                millisecond: microsecond / 1_000)
        else { return nil }
        self = instant
    }
}

extension PostgresRow {
    /// The session prints ISO style and UTC. Infinities are the ends of the range.
    func optionalInstant(_ column: StaticString) throws -> Instant? {
        guard let read = try withBytes(column, Instant.init(timestamptz:)) else { return nil }
        guard let read else { throw undecodable(column) }
        return read
    }

    func instant(_ column: StaticString) throws -> Instant {
        guard let instant = try optionalInstant(column) else { throw undecodable(column) }
        return instant
    }
}

private struct DigitReader {
    var rest: Slice<UnsafeRawBufferPointer>

    mutating func number() -> Int64? {
        var value: Int64 = 0
        var count = 0
        while let byte = rest.first, (48...57).contains(byte), count < 9 {
            value = value * 10 + Int64(byte - 48)
            count += 1
            rest.removeFirst()
        }
        return count > 0 ? value : nil
    }

    mutating func fraction() -> Int64? {
        let start = rest.startIndex
        guard var value = number() else { return nil }
        let digits = rest.startIndex - start
        guard digits <= 6 else { return nil }
        for _ in digits..<6 { value *= 10 }
        return value
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }
}

private func pad(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
