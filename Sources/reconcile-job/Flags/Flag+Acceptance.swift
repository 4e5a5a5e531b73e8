internal import Reconcile

/// What `accept` is told.
struct AcceptanceSettings: Equatable, Sendable {
    /// 32 hexadecimal digits; empty until it is given.
    var finding = ""
    var by = ""
    var why = ""
    var until: Instant?
}

extension Flag {
    /// What only `accept` takes.
    static let acceptance: [Flag] = [
        .value(
            "by", "WHO", "who accepts the finding; needed", of: [.accept],
            to: \.acceptance.by, FlagValue.text),
        .value(
            "why", "TEXT", "why it may stand: a tester's account, a known case; needed",
            of: [.accept], to: \.acceptance.why, FlagValue.text),
        .value(
            "until", "DATE", "accept it up to and including this day (UTC), or up to this instant",
            default: .described("until further notice"), of: [.accept], to: \.acceptance.until
        ) { text throws(InvalidValue) in try FlagValue.end(text) },
    ]
}

extension FlagValue {
    /// A finding's id as reports print it.
    static func findingID(_ text: String) throws(InvalidValue) -> String {
        let isDigit = { (byte: UInt8) in
            (48...57).contains(byte) || (97...102).contains(byte)
        }
        let id = text.lowercased()
        guard id.utf8.count == 32, id.utf8.allSatisfy(isDigit) else {
            throw InvalidValue(text, isNot: "a finding_id: 32 hexadecimal digits, from a report")
        }
        return id
    }

    /// The first instant beyond a day, or an instant.
    static func end(_ text: String) throws(InvalidValue) -> Instant {
        if let day = Instant(rfc3339: text + "T00:00:00Z") { return day + .seconds(86_400) }
        guard let instant = Instant(rfc3339: text) else {
            throw InvalidValue(
                text, isNot: "a day or an instant, for example 2026-12-31 or 2026-12-31T12:00:00Z")
        }
        return instant
    }
}
