internal import Reconcile

/// Predicts from the views why the guards would hold a run over everything.
struct GuardForecast: Sendable {
    private let configuration: Configuration
    private let database: Database

    init(_ configuration: Configuration, _ database: Database) {
        self.configuration = configuration
        self.database = database
    }

    /// - Parameter inputs: nil: the files cannot be used, and no secret is missed.
    func implausible(_ inputs: RunInputs?) async throws -> [HeldReason] {
        guard configuration.scope.isEverything, configuration.replay == nil else { return [] }
        let now = Instant.now
        let run = Run(
            id: RunID(startedAt: now, suffix: 0), asOf: configuration.asOf ?? now,
            scope: .everything, isOffline: configuration.isOffline)
        var figures = [try await database.survey.figures()]
        let settings = configuration.outcomeSettings(inputs?.apiKeys.apps ?? APIApps())
        if let last = try await database.figures.lastFigures(comparableWith: settings) {
            figures.append(last)
        }
        return Guards(configuration, inputs).judging(run, by: figures).implausibleViews
    }
}
