internal import CPostgres
internal import Glibc

extension PostgresConnection {
    /// Connects as libpq does: `conninfo` may be a URI, `key=value` pairs, a database name or
    /// empty; `PG…` variables, service files and `.pgpass` apply. Then prepares `session`, unless a
    /// pooler would share it with other clients.
    func open(_ conninfo: String, session: PostgresSession? = nil) throws(PostgresError) {
        let settings = ConnectionSettings(conninfo)
        if let why = settings.malformation { throw ConnectionAttempt.unusableAddress(why) }
        let deadline = ContinuousClock.now + settings.timeout
        let attempt = try ConnectionAttempt(settings, until: deadline)
        handle = attempt.handle
        try attempt.waitUntilConnected()
        recordEncoding()
        if let handle { canceller.attach(to: handle) }
        guard let session else { return }
        let pooler = PoolerCheck(findProcess: session.findProcess)
        if try pooler.isPooled(attempt) {
            let other = try ConnectionAttempt(settings, until: deadline)
            defer { PQfinish(other.handle) }
            try other.waitUntilConnected()
            try pooler.requireSessionMode(attempt, other)
            discard = session.discard
        }
        let preparation = session.preparation
        PQclear(try attempt.result(of: preparation, text: text(of: preparation)))
    }

    /// Unexpected input usually means that the server closed the connection.
    static func hasInput(_ socket: Int32) -> Bool {
        guard socket >= 0 else { return false }
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) > 0
    }

    /// Frees the session's locks and settings, which outlive the connection where a pooler keeps
    /// the server's session for its next client.
    func leaveSession() {
        guard let discard, PQstatus(handle) == CONNECTION_OK else { return }
        rollback()
        // A failure means that the connection is lost, and the session with it.
        _ = try? executeScript(discard)
    }
}

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
