internal import CPostgres

/// The options passed to libpq beside the operator's connection string, and the parts of its
/// errors that may be printed.
struct ConnectionSettings {
    typealias Option = (keyword: String, value: String)

    let options: [Option]
    let timeout: Duration
    /// Why libpq cannot parse the string, without secrets; nil when it can.
    private(set) var malformation: String?
    let mayHoldPassword: Bool
    let mayHoldQuotationMark: Bool

    init(_ conninfo: String) {
        let given = Self.seconds(ofTimeoutIn: conninfo) ?? 10
        timeout = .seconds(given)
        // Typos put a password in odd places, so any sign of one counts.
        let isUserOnly = conninfo.contains(#/^[a-z]+:\/\/[^:@\/?#"%\n]*@[^@"%\n]*$/#)
        mayHoldPassword =
            conninfo.lowercased().contains("password") || conninfo.contains("\n")
            || (conninfo.contains("@") && !isUserOnly)
        mayHoldQuotationMark = conninfo.contains("\"") || conninfo.contains("%22")
        // libpq uses the last of repeated options: the operator's string overrides the defaults.
        options = [
            ("fallback_application_name", "reconcile-job"),
            ("keepalives", "1"),
            ("keepalives_idle", "30"),
            ("keepalives_interval", "10"),
            ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"),
            ("dbname", conninfo),
            ("client_encoding", "UTF8"),
        ]
        malformation = Self.malformation(of: conninfo).map(describedMisuse)
    }

    /// `connect_timeout` of the string, else from libpq's environment; nil when neither has one. 0,
    /// which disables libpq's time-out, becomes an hour: a nightly job must not wait forever.
    private static func seconds(ofTimeoutIn conninfo: String) -> Int? {
        let keyword = "connect_timeout"
        let text =
            value(of: keyword, in: PQconninfoParse(conninfo, nil))
            ?? value(of: keyword, in: PQconndefaults())
        guard let text, let seconds = Int(text) else { return nil }
        return seconds <= 0 ? 3_600 : seconds
    }

    /// Returns one option's value and frees `options`.
    private static func value(
        of keyword: String, in options: UnsafeMutablePointer<PQconninfoOption>?
    ) -> String? {
        defer { PQconninfoFree(options) }
        var option = options
        while let entry = option?.pointee, let name = entry.keyword {
            if String(cString: name) == keyword { return entry.val.map { String(cString: $0) } }
            option = option.map { $0 + 1 }
        }
        return nil
    }

    /// The SQLSTATE in libpq's verbose text of a refused connection, `FATAL:  28P01: …`; of the
    /// last host if there are several. The severity before it is in the server's language.
    func sqlState(in text: String) -> String? {
        text.matches(of: /: {2}([0-9A-Z]{5})(?:: |\n|$)/).last.map { String($0.1) }
    }

    /// libpq's text on one line, without quoted parts when they may contain a password.
    func withoutSecrets(_ text: String) -> String? {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }
        let parts = lines.map { line in
            var part = String(line.drop { $0 == "\t" })
            part.replace(#/: {2}[0-9A-Z]{5}: /#, with: ": ")
            if mayHoldPassword {
                // If the password may contain a quotation mark, the end of a quotation is unknown.
                part.replace(mayHoldQuotationMark ? #/".*"/# : #/".*?"/#, with: "‹…›")
            }
            return part
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
