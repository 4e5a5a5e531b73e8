internal import Reconcile

/// `reconcile-job prune`: removes evidence and history that may go.
struct PruneCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        guard configuration.pruneBefore != nil || !configuration.users.isEmpty else {
            throw Ending(
                .usage,
                "prune removes nothing unless told what: --before an instant, or --user. Try "
                    + "`reconcile-job prune --help`.")
        }
        let address = configuration.database?.text ?? ""
        let pruned = try await Database.lend(address, connections: 1) { database in
            try await database.schema.check()
            var pruned: [Pruned] = []
            if let instant = configuration.pruneBefore {
                pruned.append(try await database.pruning.prune(before: instant))
            }
            for user in configuration.users {
                pruned.append(try await database.pruning.prune(user: user))
            }
            return pruned
        }
        func sum(_ count: (Pruned) -> Int) -> Int { pruned.map(count).reduce(0, +) }
        return Ending(
            .complete,
            "Removed \(sum { $0.answers }) answers, \(sum { $0.outcomes }) outcomes and "
                + "\(sum { $0.findings }) findings, \(sum { $0.runs }) runs whole. Reports that"
                + " were published stay where they are; remove those by hand.")
    }
}
