internal import Reconcile

/// Predicts from the views why the guards would hold a run over everything.
struct GuardForecast: Sendable {
    private let configuration: Configuration
    private let database: Database

    init(_ configuration: Configuration, _ database: Database) {
        self.configuration = configuration
        self.database = database
    }

    func implausible(_ secrets: SharedSecrets = .none) async throws -> [HeldReason] {
        guard configuration.scope.isEverything, configuration.replay == nil else { return [] }
        let now = Instant.now
        let run = Run(
            id: RunID(startedAt: now, suffix: 0), asOf: configuration.asOf ?? now,
            scope: .everything, isOffline: configuration.isOffline)
        var figures = [try await database.survey.figures()]
        if let last = try await database.knownRuns.newest().first(where: { !$0.isHeld }) {
            figures += try await database.figures.figures(of: last.run).prefix(1)
        }
        return Guards(configuration, secrets).look(at: run, figures).implausibleViews
    }
}
