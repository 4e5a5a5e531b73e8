internal import Reconcile

/// `reconcile-job migrate`: creates and upgrades the job's own tables.
struct MigrateCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        let applied: [String]
        do {
            applied = try await migrate()
        } catch let error as DatabaseError {
            guard case .accessDenied(let why) = error.reason else { throw error }
            throw Ending(
                .notPermitted,
                "The database refuses access: \(why) (\(error.statement)). Connect as the owner of "
                    + "the database.")
        }
        if configuration.withReferenceApp {
            return Ending(
                .complete,
                "The job's tables, schema app and the five views are in place. Next: "
                    + "sql/roles.sql, and reconcile-job simulate --load or your own rows.")
        }
        guard !applied.isEmpty else {
            return Ending(.complete, "The job's tables are up to date; nothing was changed.")
        }
        return Ending(
            .complete,
            "Applied \(applied.joined(separator: ", ")). Next: the five views in schema reconcile"
                + " (README.md), sql/roles.sql, and reconcile-job run.")
    }

    private func migrate() async throws -> [String] {
        let address = configuration.database?.text ?? ""
        return try await Database.lend(address, connections: 1) { database in
            let applied = try await database.schema.migrate()
            if configuration.withReferenceApp { try await database.referenceApp.create() }
            return applied
        }
    }
}
