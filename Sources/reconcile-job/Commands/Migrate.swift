internal import Reconcile

/// `reconcile-job migrate`: creates and upgrades the job's own tables.
struct MigrateCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        let address = configuration.database?.text ?? ""
        let applied = try await Database.lend(address, connections: 1) { database in
            let applied = try await database.migrate()
            if configuration.withReferenceApp { try await database.createReferenceApp() }
            return applied
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
}
