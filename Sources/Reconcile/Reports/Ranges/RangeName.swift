/// The name of a folder that is about days and not of a run: `period-2026-10-01-2026-10-31`, or of
/// one app `period-2026-10-01-2026-10-31-com.acme.app`.
package struct RangeName: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case period
        case tieOut = "tie-out"
    }

    package let kind: Kind
    package let days: PacificDays
    private let app: BundleID?

    package init(_ kind: Kind, _ days: PacificDays, of app: BundleID? = nil) {
        self.kind = kind
        self.days = days
        self.app = app
    }

    package var text: String {
        let name = "\(kind.rawValue)-\(days.firstText)-\(days.lastText)"
        return app.map { "\(name)-\(Self.fileName($0.text))" } ?? name
    }

    /// Whether a file has the name of such a folder.
    static func isRange(_ name: String) -> Bool {
        Kind.allCases.contains { kind in
            guard name.hasPrefix(kind.rawValue + "-") else { return false }
            let rest = Array(name.dropFirst(kind.rawValue.count + 1).utf8)
            guard rest.count == 21 || rest.count > 22 && rest[21] == UInt8(ascii: "-"),
                rest[10] == UInt8(ascii: "-")
            else { return false }
            let days = [rest[0..<10], rest[11..<21]].map { String(decoding: $0, as: UTF8.self) }
            return days.allSatisfy { Instant(day: $0) != nil }
        }
    }

    /// Letters, digits, `.`, `_` and `-`; any other byte as `%2F`.
    private static func fileName(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                String(UnicodeScalar(byte))
            default: "%" + [byte].hexadecimal.uppercased()
            }
        }.joined()
    }
}
