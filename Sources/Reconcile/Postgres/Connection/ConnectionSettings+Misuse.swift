internal import CPostgres

/// Connection strings, and variables of libpq's, that lead to no server.
extension ConnectionSettings {
    /// Why libpq cannot read `conninfo`, in its own words; nil: it can.
    static func malformation(of conninfo: String) -> String? {
        let isURI = ["postgresql://", "postgres://"].contains { conninfo.hasPrefix($0) }
        guard isURI || conninfo.contains("=") else {
            // libpq would take it for the name of a database, and show it to the server.
            let isMisspeltURI = conninfo.contains(#/^[A-Za-z]+:\/|:[^@]*@/#)
            return isMisspeltURI
                ? "it is neither a URI nor key words nor the name of a database" : nil
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

    /// Whether libpq, which has made no connection, says that it did not even look for a server.
    static func isMisuse(_ text: String) -> Bool {
        [
            "invalid ", "could not match ", "could not parse network address",
            "definition of service", "service file", "syntax error in service file",
            "unrecognized ", "Unix-domain socket path",
        ].contains { text.hasPrefix($0) }
    }

    /// libpq's words on what it cannot use, on one line. A typing error moves a password anywhere,
    /// a port or the name of a parameter included: of what is quoted only the names of libpq's own
    /// options are kept, and a misspelt one where no password may be.
    func wordsOfMisuse(_ text: String) -> String {
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
