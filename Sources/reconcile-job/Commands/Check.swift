internal import Reconcile

/// `reconcile-job check`: prints one line that Nagios and cron monitors can parse.
struct CheckCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        let address = configuration.database?.text ?? ""
        let (nights, forgotten) = try await Database.lend(address, connections: 1) { database in
            try await database.schema.check()
            // Without the folder on this machine there is nothing to compare.
            let reports = try? ReportsDirectory(reading: configuration.reports)
            var forgotten: ForgottenRuns?
            if let reports { forgotten = try? await ForgottenRuns(in: reports, of: database) }
            return (try await database.knownRuns.newest(), forgotten?.sentence)
        }
        let ending =
            forgotten.map { Ending(.overdue, "\($0) The next run marks them. Run it now.") }
            ?? Self.verdict(nights, maxAge: configuration.maxAge, at: .now)
        let word = ending.exit == .complete ? "OK" : "CRITICAL"
        if !configuration.isQuiet || ending.exit != .complete {
            try StandardStream.print("\(word): \(ending.message)\n")
        }
        return ending
    }

    /// - Parameter nights: the newest published run, and a newer run that is held, if there is one.
    static func verdict(_ nights: [RunReader.Newest], maxAge: Duration, at now: Instant) -> Ending {
        if let held = nights.first(where: \.isHeld) {
            return Ending(
                .overdue,
                "Run \(held.run), judged as of \(held.asOf), is held: later runs ignore it. Read"
                    + " its index.html; then fix the cause and run again, or release it.")
        }
        guard let last = nights.first else {
            return Ending(
                .overdue, "No run over everything has been published. Look at the log of `run`.")
        }
        guard last.asOf >= now - maxAge else {
            return Ending(
                .overdue,
                "The last published run, \(last.run), was judged as of \(last.asOf): older"
                    + " than --max-age. Look at the log of `run`.")
        }
        guard last.isComplete else {
            return Ending(
                .overdue,
                "Run \(last.run), judged as of \(last.asOf), is incomplete. See its"
                    + " unverified.csv, fix the cause and run again.")
        }
        return Ending(
            .complete, "Run \(last.run), judged as of \(last.asOf), is published and complete.")
    }
}
