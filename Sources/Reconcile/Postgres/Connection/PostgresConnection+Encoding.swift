internal import CPostgres

/// Support for databases that are not in UTF-8. PostgreSQL converts both ways. Where it cannot
/// (SQL_ASCII has no encoding), it refuses text that is not UTF-8: SQLSTATE 22021 or 22P05.
extension PostgresConnection {
    func recordEncoding() {
        let encoding = PQparameterStatus(handle, "server_encoding").map { String(cString: $0) }
        isInUTF8 = encoding == "UTF8"
    }

    /// The text to send. PostgreSQL also converts comments and refuses characters that its encoding
    /// lacks; our statements have non-ASCII characters in comments only, so these are replaced.
    func text(of statement: PostgresStatement) -> String {
        guard !isInUTF8 else { return statement.text }
        return String(
            String.UnicodeScalarView(
                statement.text.unicodeScalars.map {
                    $0.isASCII ? $0 : "?"
                }))
    }
}
