internal import Reconcile

/// Flags and operand of `accept`, `release` and `retract`.
struct AcceptanceSettings: Equatable, Sendable {
    /// Hexadecimal digits; empty until they are given.
    var finding = ""
    var by = ""
    var why = ""
    var until: Instant?
    var isList = false
    var isUndo = false
}

extension Flag {
    static let acceptance: [Flag] = [
        .value(
            "by", "WHO", "who decided this; required, for prune with --user",
            of: [.accept, .release, .retract, .prune],
            to: \.acceptance.by, FlagValue.text),
        .value(
            "why", "TEXT", "the reason, such as a tester's account; required",
            of: [.accept, .release, .retract], to: \.acceptance.why, FlagValue.text),
        .bare(
            "list", "show the findings that are accepted now, and nothing else", of: [.accept],
            to: \.acceptance.isList),
        .bare(
            "undo", "withdraw the acceptance of the finding", of: [.accept],
            to: \.acceptance.isUndo),
        .value(
            "until", "DATE", "accept up to and including this day (UTC), or up to this instant",
            default: .described("until further notice"), of: [.accept], to: \.acceptance.until
        ) { text in try FlagValue.end(text) },
    ]
}

extension FlagValue {
    static func findingID(_ text: String) throws(InvalidValue) -> String {
        let isDigit = { (byte: UInt8) in
            (48...57).contains(byte) || (97...102).contains(byte)
        }
        let id = text.lowercased()
        guard (4...32).contains(id.utf8.count), id.utf8.allSatisfy(isDigit) else {
            throw InvalidValue(
                text,
                isNot: "a finding_id of a report, or its beginning: 4 to 32 hexadecimal digits")
        }
        return id
    }

    /// The first instant after a day, or an instant.
    static func end(_ text: String) throws -> Instant {
        if let day = Instant(rfc3339: text + "T00:00:00Z") { return day + .seconds(86_400) }
        guard let instant = Instant(rfc3339: text) else {
            throw InvalidValue(
                text, isNot: "a day or an instant, for example 2026-12-31 or 2026-12-31T12:00:00Z")
        }
        return instant
    }
}
