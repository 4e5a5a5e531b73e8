internal import Reconcile

/// `reconcile-job prune`: removes old evidence, history and published folders.
struct PruneCommand: Sendable {
    private let configuration: Configuration
    private let console: Console

    init(_ configuration: Configuration, _ console: Console) {
        self.configuration = configuration
        self.console = console
    }

    func run() async throws -> Ending {
        let isAboutHistory = configuration.pruneBefore != nil || !configuration.users.isEmpty
        guard isAboutHistory || configuration.keptNights != nil else {
            throw Ending(
                .usage,
                "prune needs to know what to remove: give --before INSTANT, --user ID or --keep"
                    + " N. Try `reconcile-job prune --help`.")
        }
        try requireErasureFlags()
        if configuration.isDryRun {
            guard !isAboutHistory, let nights = try keptNights() else {
                throw Ending(
                    .usage,
                    "prune --dry-run lists folders: give it --keep, without --before and --user.")
            }
            return try list(nights)
        }
        // Before anything is erased.
        let nights = try keptNights()
        let erasedFolders = try configuration.users.isEmpty ? nil : ErasedFolders(configuration)
        var sentences: [String] = []
        if isAboutHistory { sentences.append(try await pruneHistory()) }
        var failure: ExitCode?
        do {
            if let erasedFolders {
                let result = try await erasedFolders.conclude(console)
                sentences.append(result.sentence)
                failure = result.isDone ? nil : .cannotCreateReports
            }
            if let nights { sentences.append(try removeFolders(nights)) }
        } catch {
            // What was removed by then is gone.
            let ending = Ending(error)
            sentences.append(ending.message)
            throw Ending(ending.exit, sentences.joined(separator: " "))
        }
        return Ending(failure ?? .complete, sentences.joined(separator: " "))
    }

    /// Nil without `--keep`.
    private func keptNights() throws(ReportError) -> OldFolders? {
        guard configuration.keptNights != nil else { return nil }
        return OldFolders(configuration, in: try ReportsDirectory(path: configuration.reports))
    }

    private func requireErasureFlags() throws(Ending) {
        func refusal(_ why: String) -> Ending {
            Ending(.usage, why + " Try `reconcile-job prune --help`.")
        }
        if !configuration.users.isEmpty, configuration.acceptance.by.isEmpty {
            throw refusal("prune --user needs --by WHO: who erases the user? It is recorded.")
        }
        if configuration.users.isEmpty, !configuration.acceptance.by.isEmpty {
            throw refusal("prune takes --by only with --user. Leave it out.")
        }
        if configuration.users.isEmpty, configuration.rewritesFolders {
            throw refusal("prune --folders needs --user ID: whom should the folders leave out?")
        }
    }

    private func list(_ nights: OldFolders) throws -> Ending {
        let lines = nights.list()
        for line in lines { try StandardStream.print(line + "\n") }
        return Ending(
            .complete,
            "Dry run: \(lines.count) folders are older than the last \(nights.nights) nights."
                + " Nothing was removed; leave --dry-run out to remove them.")
    }

    private func removeFolders(_ nights: OldFolders) throws -> String {
        let folders = try nights.remove()
        for path in folders.removed { try StandardStream.print("removed  \(path)\n") }
        for line in folders.kept { try StandardStream.print("stays    \(line)\n") }
        return "Removed \(folders.removed.count) folders older than the last"
            + " \(nights.nights) nights."
    }

    private func pruneHistory() async throws -> String {
        let address = configuration.database?.text ?? ""
        let (pruned, open) = try await Database.lend(address, connections: 1) { database in
            try await database.schema.check()
            var pruned: [Pruned] = []
            if let instant = configuration.pruneBefore {
                pruned.append(try await database.pruning.prune(before: instant))
            }
            for user in configuration.users {
                pruned.append(
                    try await database.pruning.prune(
                        user: user, by: configuration.acceptance.by))
            }
            let open = configuration.users.isEmpty ? [] : try await database.pruning.openRuns()
            return (pruned, open)
        }
        func sum(_ count: (Pruned) -> Int) -> Int { pruned.map(count).reduce(0, +) }
        var sentence =
            "Removed \(sum { $0.answers }) answers, \(sum { $0.outcomes }) outcomes and "
            + "\(sum { $0.findings }) findings, and \(sum { $0.runs }) runs completely."
        if configuration.users.isEmpty, configuration.keptNights == nil {
            sentence += " Published folders were not touched; --keep removes old ones."
        }
        if !open.isEmpty {
            let runs = open.map(\.text).joined(separator: ", ")
            sentence +=
                " What the unfinished run \(runs) has recorded stays: give the command again when"
                + " it has ended."
        }
        return sentence
    }
}
