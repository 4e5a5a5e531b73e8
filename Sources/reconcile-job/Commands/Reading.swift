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

extension Configuration {
    /// The run of `--run` or of an operand; nil when none is named.
    var namedRun: RunListing.Name? { run.isEmpty ? nil : RunListing.Name(run) }

    /// The finding whose id begins with `prefix`, and the run to read it from: the one that is
    /// named, else the last published run that has the finding.
    func finding(
        _ prefix: String, _ database: Database
    ) async throws -> (KnownFinding, RunListing) {
        guard let namedRun else {
            let known = try await database.knownFindings.finding(beginningWith: prefix)
            let name = RunListing.Name(known.run?.text ?? "")
            return (known, try await database.knownRuns.run(named: name))
        }
        let run = try await database.knownRuns.run(named: namedRun)
        let known = try await database.knownFindings.finding(
            beginningWith: prefix, in: run.run.id)
        return (known, run)
    }
}
