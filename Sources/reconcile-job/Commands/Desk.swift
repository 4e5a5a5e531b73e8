internal import Reconcile

// The dispute desk: commands that read what runs recorded, and change nothing.

extension Configuration {
    /// Lends the database to a command that reads the job's own tables.
    func withDatabase<T: Sendable>(
        connections: Int = 1, _ body: (Database) async throws -> T
    ) async throws -> T {
        try await Database.lend(database?.text ?? "", connections: connections) { database in
            try await database.schema.check()
            return try await body(database)
        }
    }
}

extension StandardStream {
    /// Writes `bytes` to stdout.
    /// - Throws: status 74.
    static func print(_ bytes: [UInt8]) throws(Ending) {
        guard let code = output.write(bytes) else { return }
        throw Ending(
            .inputOutput,
            "Cannot write to stdout: \(InputFile.words(of: code)). Send it where there is room.")
    }
}
