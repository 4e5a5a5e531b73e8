internal import Reconcile

/// `reconcile-job prune`: removes old evidence, history and published folders.
struct PruneCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        let isAboutHistory = configuration.pruneBefore != nil || !configuration.users.isEmpty
        let nights = KeptNights(configuration)
        guard isAboutHistory || nights != nil else {
            throw Ending(
                .usage,
                "prune needs to know what to remove: give --before INSTANT, --user ID or --keep"
                    + " N. Try `reconcile-job prune --help`.")
        }
        if configuration.isDryRun {
            guard let nights, !isAboutHistory else {
                throw Ending(
                    .usage,
                    "prune --dry-run lists folders: give it --keep, without --before and --user.")
            }
            return try list(nights)
        }
        var sentences: [String] = []
        if isAboutHistory { sentences.append(try await pruneHistory()) }
        if let nights { sentences.append(try removeFolders(nights)) }
        return Ending(.complete, sentences.joined(separator: " "))
    }

    private func list(_ nights: KeptNights) throws -> Ending {
        let lines = try nights.list()
        for line in lines { try StandardStream.print(line + "\n") }
        return Ending(
            .complete,
            "Dry run: \(lines.count) folders are older than the last \(nights.nights) nights."
                + " Nothing was removed; leave --dry-run out to remove them.")
    }

    private func removeFolders(_ nights: KeptNights) throws -> String {
        let folders = try nights.remove()
        for path in folders.removed { try StandardStream.print("removed  \(path)\n") }
        for line in folders.kept { try StandardStream.print("stays    \(line)\n") }
        return "Removed \(folders.removed.count) folders older than the last"
            + " \(nights.nights) nights."
    }

    private func pruneHistory() async throws -> String {
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
        return "Removed \(sum { $0.answers }) answers, \(sum { $0.outcomes }) outcomes and "
            + "\(sum { $0.findings }) findings, and \(sum { $0.runs }) runs completely."
            + (configuration.keptNights == nil
                ? " Published folders were not touched; --keep removes old ones." : "")
    }
}
