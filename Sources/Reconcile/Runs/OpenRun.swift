/// A run that was begun and has not ended, as another process finds it.
package struct OpenRun: Hashable, Sendable {
    package let run: Run
    /// The same rules of judging: `Run.rulesVersion` and the settings that change the outcome.
    package let hasSameRules: Bool
    /// The same servers are asked.
    package let hasSameServers: Bool
    package let hasSameScope: Bool
    /// Its users are cut into batches.
    package let isCut: Bool
    /// A process is at work on it.
    package let hasWorker: Bool
    /// Of whoever began it.
    package var shared = SharedSettings()

    /// What all workers of a run should have in common although it does not change its outcome.
    package struct SharedSettings: Hashable, Sendable {
        /// As `--max-unverified` was written.
        package var maxUnverified: String?
        /// `GuardSettings.text`.
        package var guards: String?
        /// Which of Apple's answers are kept.
        package var evidence: Evidence?
        /// Requests a second.
        package var rate: Double?
        package var sandboxRate: Double?

        package init() {}
    }

    package init(
        run: Run, hasSameRules: Bool, hasSameServers: Bool, hasSameScope: Bool, isCut: Bool,
        hasWorker: Bool
    ) {
        self.run = run
        self.hasSameRules = hasSameRules
        self.hasSameServers = hasSameServers
        self.hasSameScope = hasSameScope
        self.isCut = isCut
        self.hasWorker = hasWorker
    }

    /// Whether the next run may resume it (SPEC §8). One over some users and a trial are left to
    /// the worker that works on them; of those that make history the lock lets only one begin.
    /// - Parameters:
    ///   - asOf: the instant that was asked for; nil for any.
    ///   - limit: how long ago its own may be.
    package func mayBeResumed(asOf: Instant?, now: Instant, within limit: Duration) -> Bool {
        guard isCut, hasSameRules, hasSameServers, hasSameScope else { return false }
        guard run.isNight || !hasWorker else { return false }
        guard asOf == nil || asOf == run.asOf else { return false }
        return run.asOf >= now - limit
    }
}
