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

/// Detects connection strings and libpq variables that cannot lead to a server.
extension ConnectionSettings {
    /// libpq's reason why it cannot parse `conninfo`; nil when it can.
    static func malformation(of conninfo: String) -> String? {
        let isURI = ["postgresql://", "postgres://"].contains { conninfo.hasPrefix($0) }
        guard isURI || conninfo.contains("=") else {
            // libpq would take the string for a database name and send it to the server.
            let isMisspeltURI = conninfo.contains(#/^[A-Za-z]+:\/|:[^@]*@/#)
            return isMisspeltURI
                ? "it is neither a URI nor key=value pairs nor a database name" : nil
        }
        var words: UnsafeMutablePointer<CChar>?
        let options = PQconninfoParse(conninfo, &words)
        defer {
            PQconninfoFree(options)
            PQfreemem(words)
        }
        guard options == nil else { return nil }
        return words.map { String(cString: $0) } ?? "libpq cannot read it"
    }

    /// Whether libpq's error text means that it did not even try to reach a server.
    static func isMisuse(_ text: String) -> Bool {
        // PgBouncer's, for `options` and the like.
        if text.contains("unsupported startup parameter") { return true }
        return [
            "invalid ", "could not match ", "could not parse network address",
            "definition of service", "service file", "syntax error in service file",
            "unrecognized ", "Unix-domain socket path",
        ].contains { text.hasPrefix($0) }
    }

    /// libpq's error text on one line. A typo can move a password anywhere, even into a port or a
    /// parameter name: of quoted text, only the names of libpq's own options are kept, and misspelt
    /// ones if the string cannot contain a password.
    func describedMisuse(_ text: String) -> String {
        let line = text.split(separator: "\n").joined(separator: "; ")
        guard !mayHoldQuotationMark else { return line.replacing(#/".*"/#, with: "‹…›") }
        let quoted = #/(for connection option |invalid (?:connection|URI) [a-z ]+:? )?"[^"]*"/#
        return line.replacing(quoted) { match in
            let isOwn = match.1 == "for connection option "
            let isMisspelt = match.1 != nil && !mayHoldPassword
            return isOwn || isMisspelt ? String(match.0) : (match.1 ?? "") + "‹…›"
        }
    }
}
