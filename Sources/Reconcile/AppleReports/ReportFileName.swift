/// The name that App Store Connect gives a daily report: `S_D_80012345_20261101.txt.gz`.
enum ReportFileName {
    /// Midnight UTC of the day behind the last underscore that eight digits follow and nothing else
    /// of a word; nil when there is none.
    static func day(in path: String) -> Instant? {
        let name = Array(path.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring().utf8)
        let starts = name.indices.filter { name[$0] == UInt8(ascii: "_") }.map { $0 + 1 }
        return starts.reversed().lazy.compactMap { day(name[$0...]) }.first
    }

    private static func day(_ rest: ArraySlice<UInt8>) -> Instant? {
        let digits = rest.prefix { $0.isDigit }
        let next = rest.dropFirst(digits.count).first ?? UInt8(ascii: ".")
        guard digits.count == 8, !isWord(next), let number = Int64(text(digits)), number >= 10_000
        else { return nil }
        let date = CivilDate(
            year: number / 10_000, month: number / 100 % 100, day: number % 100)
        return Instant(date: date, hour: 0, minute: 0, second: 0)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte.isDigit || byte >= 0x80
            || (0x61...0x7A).contains(byte | 0x20)
    }
}
