extension Instant {
    /// As PostgreSQL reads a `timestamptz`, to the millisecond. What lies outside of its range is
    /// `infinity` or `-infinity`.
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

private func pad(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
