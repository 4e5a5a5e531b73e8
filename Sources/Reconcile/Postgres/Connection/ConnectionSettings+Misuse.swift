internal import CPostgres

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
