internal import SQL

/// Finds texts that the database's encoding cannot store.
struct DatabaseEncoding: Sendable {
    private let session: DatabaseSession
    /// True for UTF8, and for SQL_ASCII, which stores bytes without checking them.
    let holdsEverything: Bool

    static func read(_ session: DatabaseSession) async throws(DatabaseError) -> DatabaseEncoding {
        let name = try await session.query(SQL.serverEncoding) { row in
            try row.text("encoding")
        }.first
        return DatabaseEncoding(
            session: session, holdsEverything: name == "UTF8" || name == "SQL_ASCII")
    }

    func unstorable(
        among texts: [String]
    ) async throws(DatabaseError) -> Set<String> {
        guard !holdsEverything else { return [] }
        var unstorable: Set<String> = []
        for text in Set(texts) where !text.utf8.allSatisfy({ $0 < 128 }) {
            if try await !isStorable(text) { unstorable.insert(text) }
        }
        return unstorable
    }

    private func isStorable(_ text: String) async throws(DatabaseError) -> Bool {
        try await session.retrying {
            try await session.pool.withConnection { connection in
                do {
                    try await connection.execute(
                        PostgresStatement(SQL.checkEncoding), [PostgresBytea.text(text)])
                    return true
                } catch let error as PostgresError where DatabaseError(error).isEncoding {
                    return false
                }
            }
        }
    }
}

extension Database {
    func encoding() async throws(DatabaseError) -> DatabaseEncoding {
        try await DatabaseEncoding.read(session)
    }
}
