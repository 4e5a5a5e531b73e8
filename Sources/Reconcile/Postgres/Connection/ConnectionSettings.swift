internal import CPostgres

/// What we tell libpq beside the operator's connection string, and what we repeat of its errors.
struct ConnectionSettings {
    typealias Option = (keyword: String, value: String)

    let options: [Option]
    /// How long one may take to connect, over all hosts named.
    let timeout: Duration
    /// Why libpq cannot read the string, in words that repeat nothing secret; nil: it can.
    private(set) var malformation: String?
    let mayHoldPassword: Bool
    let mayHoldQuotationMark: Bool

    init(_ conninfo: String) {
        let given = Self.seconds(ofTimeoutIn: conninfo) ?? 10
        timeout = .seconds(given)
        // Typing errors put a password in odd places, so any sign of one counts.
        let isUserOnly = conninfo.contains(#/^[a-z]+:\/\/[^:@\/?#"%\n]*@[^@"%\n]*$/#)
        mayHoldPassword =
            conninfo.lowercased().contains("password") || conninfo.contains("\n")
            || (conninfo.contains("@") && !isUserOnly)
        mayHoldQuotationMark = conninfo.contains("\"") || conninfo.contains("%22")
        // Given twice, the later option wins: the operator's own string comes after the defaults.
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
        malformation = Self.malformation(of: conninfo).map(wordsOfMisuse)
    }

    /// `connect_timeout` of the string, else what libpq takes from its environment; nil where
    /// neither has one. 0 is libpq's "for ever", which a nightly job does not have: an hour.
    private static func seconds(ofTimeoutIn conninfo: String) -> Int? {
        let keyword = "connect_timeout"
        let text =
            value(of: keyword, in: PQconninfoParse(conninfo, nil))
            ?? value(of: keyword, in: PQconndefaults())
        guard let text, let seconds = Int(text) else { return nil }
        return seconds <= 0 ? 3_600 : seconds
    }

    /// Takes `options` from libpq, and frees them.
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

    /// The SQLSTATE of libpq's verbose text of a refused connection, `FATAL:  28P01: …`. With
    /// several hosts, the last one's. The word before it is in the server's language.
    func sqlState(in text: String) -> String? {
        text.matches(of: /: {2}([0-9A-Z]{5})(?:: |\n|$)/).last.map { String($0.1) }
    }

    /// libpq's text on one line. What it quotes is left out when that may be a part of a password.
    func withoutSecrets(_ text: String) -> String? {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }
        let parts = lines.map { line in
            var part = String(line.drop { $0 == "\t" })
            part.replace(#/: {2}[0-9A-Z]{5}: /#, with: ": ")
            if mayHoldPassword {
                // What a quotation mark ends is not known when the password may hold one.
                part.replace(mayHoldQuotationMark ? #/".*"/# : #/".*?"/#, with: "‹…›")
            }
            return part
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
