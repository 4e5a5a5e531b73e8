/// Tries the apps of a run whose requests are stopped: one receipt a minute, over all workers,
/// until Apple answers again. An app that one worker stops or frees is stopped or free for all.
struct StoppedApps: Sendable {
    private static let longestPoll = Duration.seconds(1)

    let database: Database
    let validator: AppStoreValidator
    let run: RunID
    let settings: RunSettings

    /// Stops the apps that other workers stopped.
    @discardableResult
    func adopt() async throws -> [BundleID: Unverified] {
        let ofRun = try await database.stoppedApps.stopped(in: run)
        for (bundle, cause) in ofRun { validator.stop(bundle, for: cause) }
        return ofRun
    }

    /// Repeats until the task is cancelled.
    func tryInTurn() async throws {
        var announced: Set<BundleID> = []
        while true {
            let ofRun = try await adopt()
            let stopped = validator.stoppedApps
            announced.formIntersection(stopped.map(\.request.bundle))
            for (request, cause) in stopped {
                let bundle = request.bundle
                if ofRun[bundle] != nil {
                    announced.insert(bundle)
                    try await tryApp(with: request)
                } else if announced.remove(bundle) != nil {
                    validator.resume(bundle)
                } else {
                    try await database.stoppedApps.announce(bundle, for: cause, in: run)
                    announced.insert(bundle)
                }
            }
            try await ContinuousClock().sleep(for: min(Self.longestPoll, settings.appPause / 4))
        }
    }

    private func tryApp(with request: ReceiptRequest) async throws {
        let isOurTurn = try await database.stoppedApps.takeTurn(
            for: request.bundle, in: run, every: settings.appPause)
        guard isOurTurn else { return }
        let requests = try await validator.tryStoppedApp(with: request, before: settings.deadline)
        try await database.stoppedApps.recordTry(
            of: request.bundle, requests, isAnswered: !validator.isStopped(request), in: run)
    }
}
