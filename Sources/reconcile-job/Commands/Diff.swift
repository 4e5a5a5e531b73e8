internal import Reconcile

/// `reconcile-job diff`: which findings only one of two runs has, and how shared findings differ.
struct DiffCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        try await configuration.withDatabase(connections: 2) { database in
            let old = try await known(configuration.run, database)
            let new = try await known(configuration.otherRun, database)
            if configuration.output == .text {
                for run in [old, new] where run.remark != nil {
                    try StandardStream.print(
                        "Run \(run) is not in the history: later runs do not count it.\n")
                }
            }
            var report = DifferenceReport(isJSON: configuration.output == .json)
            try await database.differences(between: old.run.id, and: new.run.id).forEach(
                all: configuration.showsAll
            ) { difference in
                let bytes = report.bytes(difference)
                if configuration.output != .none { try StandardStream.print(bytes) }
            }
            if configuration.output != .none { try StandardStream.print(report.end) }
            let erased = try await erasedFindings([old, new], database)
            guard report.count > 0 else {
                return Ending(
                    .complete, "Runs \(old) and \(new) have the same findings.\(erased)")
            }
            let what =
                report.count == 1
                ? "1 finding differs" : "\(report.count.grouped) findings differ"
            return Ending(.findings, "\(what) from run \(old) to run \(new).\(erased)")
        }
    }

    /// A sentence about the findings of erased users, which are in no comparison.
    private func erasedFindings(
        _ runs: [RunListing], _ database: Database
    ) async throws -> String {
        var parts: [String] = []
        for run in runs {
            let erasure = try await database.pruning.erasure(of: run.run.id)
            guard erasure.findings > 0 else { continue }
            parts.append("\(erasure.findings.grouped) of run \(run.run.id)")
        }
        return parts.isEmpty
            ? "" : " Findings of erased users are left out: \(parts.joined(separator: ", "))."
    }

    private func known(_ name: String, _ database: Database) async throws -> RunListing {
        let known = try await database.knownRuns.run(named: RunListing.Name(name))
        guard !known.isPruned else {
            throw Ending(
                .usage,
                "The findings of run \(known.run.id) were removed (prune). Compare runs that still"
                    + " have theirs: reconcile-job runs lists them.")
        }
        return known
    }
}
