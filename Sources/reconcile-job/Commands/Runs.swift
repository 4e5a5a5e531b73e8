internal import Reconcile

/// `reconcile-job runs`: lists the newest runs and their results.
struct RunsCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        let most = configuration.limit ?? Self.usualLimit
        let runs = try await configuration.withDatabase { database in
            try await database.knownRuns.list(limit: most)
        }
        switch configuration.output {
        case .text: try StandardStream.print(RunsReport.text(runs))
        case .json: try StandardStream.print(RunsReport.json(runs))
        case .none: break
        }
        return Ending(.complete, "\(runs.count) of at most \(most) runs. --limit shows more.")
    }

    private static let usualLimit = 20
}
