internal import CPostgres

/// Databases that are not in UTF-8. PostgreSQL converts both ways; where it cannot (of SQL_ASCII it
/// knows no encoding), it refuses what is not UTF-8 already: SQLSTATE 22021 or 22P05.
extension PostgresConnection {
    /// To be called once a connection is made.
    func noteEncoding() {
        let encoding = PQparameterStatus(handle, "server_encoding").map { String(cString: $0) }
        isInUTF8 = encoding == "UTF8"
    }

    /// What is sent of `statement`. PostgreSQL converts comments too, and refuses what its encoding
    /// lacks: beyond ASCII our statements have nothing but signs in comments.
    func text(of statement: PostgresStatement) -> String {
        guard !isInUTF8 else { return statement.text }
        return String(
            String.UnicodeScalarView(
                statement.text.unicodeScalars.map {
                    $0.isASCII ? $0 : "?"
                }))
    }
}
