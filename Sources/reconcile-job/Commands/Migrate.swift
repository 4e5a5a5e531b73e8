internal import Reconcile

/// `reconcile-job migrate`: creates and upgrades the job's own tables, or the role that uses them.
struct MigrateCommand: Sendable {
    private let configuration: Configuration
    private let console: Console

    init(_ configuration: Configuration, _ console: Console) {
        self.configuration = configuration
        self.console = console
    }

    func run() async throws -> Ending {
        guard let action = configuration.roles else { return try await makeTables() }
        guard !configuration.withReferenceApp else {
            throw Ending(
                .usage,
                "--roles cannot be combined with --with-reference-app: run migrate once with each. "
                    + "Try `reconcile-job migrate --help`.")
        }
        switch action {
        case .print: return try printRoles()
        case .apply: return try await applyRoles()
        }
    }

    // MARK: Tables

    private func makeTables() async throws -> Ending {
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
                "The job's tables, schema app and the five views are in place. Next: reconcile-job"
                    + " migrate --roles apply, then load your rows or run reconcile-job simulate"
                    + " --load.")
        }
        guard !applied.isEmpty else {
            return Ending(.complete, "The job's tables are up to date; nothing was changed.")
        }
        return Ending(
            .complete,
            "Applied \(applied.joined(separator: ", ")). Next: create the five views in schema"
                + " reconcile (README.md), then reconcile-job migrate --roles apply, then"
                + " reconcile-job run.")
    }

    private func migrate() async throws -> [String] {
        try await Database.lend(address, connections: 1, retry: retry) { database in
            let applied = try await database.schema.migrate()
            if configuration.withReferenceApp { try await database.referenceApp.create() }
            return applied
        }
    }

    private var retry: DatabaseRetry { DatabaseRetry(observe: console.observe) }

    private var address: String { configuration.database?.text ?? "" }

    // MARK: Roles

    private func printRoles() throws -> Ending {
        try StandardStream.print(SchemaStore.roles)
        return Ending(
            .complete,
            "No database was changed. Run the SQL on stdout as the owner of schema reconcile, in "
                + "one transaction, then grant reconcile_job to the account that runs the job.")
    }

    private func applyRoles() async throws -> Ending {
        do {
            try await Database.lend(address, connections: 1, retry: retry) { database in
                try await database.schema.applyRoles()
            }
        } catch let error as DatabaseError {
            guard case .accessDenied(let why) = error.reason else { throw error }
            throw Ending(
                .notPermitted,
                "Cannot set up role reconcile_job: \(why). Nothing was changed. Connect as the "
                    + "owner of schema reconcile, with CREATEROLE if the role does not exist; or "
                    + "have an administrator run the SQL of reconcile-job migrate --roles print.")
        }
        return Ending(
            .complete,
            "Role reconcile_job may read the five views and write the job's own tables. Next: "
                + "grant reconcile_job to the account that runs the job.")
    }
}
