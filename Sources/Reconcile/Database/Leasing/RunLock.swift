internal import SQL

/// The lock that only one run at a time may hold. It lives on a connection of its own and goes
/// with it, so the run of a process that died is not in anybody's way.
actor RunLock {
    private let conninfo: String
    private let session: PostgresStatement
    private var connection: PostgresConnection?

    init(_ conninfo: String, session: PostgresStatement) {
        (self.conninfo, self.session) = (conninfo, session)
    }

    /// False when somebody else has it.
    func acquire() async throws(PostgresError) -> Bool {
        if let connection, await connection.isUsable { return true }
        let connection = PostgresConnection()
        try await connection.open(conninfo, session: session)
        let isAcquired = try await connection.query(PostgresStatement(SQL.tryRunLock)) {
            row throws(PostgresError) in try row.bool(0)
        }
        guard isAcquired == [true] else {
            await connection.close()
            return false
        }
        self.connection = connection
        return true
    }

    func release() async {
        await connection?.close()
        connection = nil
    }
}
