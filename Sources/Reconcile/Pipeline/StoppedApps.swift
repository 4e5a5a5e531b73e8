/// Tries the apps of a run whose requests are stopped: one receipt a minute, over all workers,
/// until Apple answers again. An app that one worker stops or frees is stopped or free for all.
struct StoppedApps: Sendable {
    private static let longestPoll = Duration.seconds(1)

    let database: Database
    let asking: Asking
    let run: RunID
    let settings: RunWorker.Settings

    /// Stops the apps that other workers stopped.
    @discardableResult
    func adopt() async throws -> [AppReceipts: Unverified] {
        let ofRun = try await database.stoppedApps.stopped(in: run)
        for (receipts, cause) in ofRun { asking.apps.stop(receipts, for: cause) }
        return ofRun
    }

    /// Repeats until the task is cancelled.
    func tryWhenDue() async throws {
        var announced: Set<AppReceipts> = []
        while true {
            let ofRun = try await adopt()
            let stopped = asking.apps.stopped
            announced.formIntersection(stopped.map(\.receipts))
            for stop in stopped {
                if ofRun[stop.receipts] != nil {
                    announced.insert(stop.receipts)
                    try await tryApp(stop)
                } else if announced.remove(stop.receipts) != nil {
                    asking.apps.resume(stop.receipts)
                } else {
                    try await database.stoppedApps.announce(
                        stop.receipts, for: stop.cause, in: run)
                    announced.insert(stop.receipts)
                }
            }
            try await ContinuousClock().sleep(for: min(Self.longestPoll, settings.appPause / 4))
        }
    }

    private func tryApp(_ stop: StoppedReceipts) async throws {
        let isOurTry = try await database.stoppedApps.claimTry(
            for: stop.receipts, in: run, every: settings.appPause)
        guard isOurTry else { return }
        let requests = try await asking.probe(stop, before: settings.deadline)
        let isAnswered = !asking.apps.isStopped(stop.question)
        try await database.stoppedApps.recordTry(
            of: stop.receipts, requests, isAnswered: isAnswered, in: run)
    }
}
