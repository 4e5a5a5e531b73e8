internal import Reconcile

extension Configuration {
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
    /// - Throws: an ending with status 74.
    static func print(_ bytes: [UInt8]) throws(Ending) {
        guard let code = output.write(bytes) else { return }
        throw Ending(
            .inputOutput,
            "Cannot write to stdout: \(InputFile.words(of: code)). Check where it is redirected.")
    }
}
