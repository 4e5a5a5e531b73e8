/// A run that this process works on: begun, resumed, joined or replayed.
package struct OpenedRun: Sendable {
    package let run: Run
    let plan: Plan
    /// The shared settings of the process that opened the run; nil for a run opened here.
    package var shared: SharedSettings?
    package var isJoined = false
    package var replayed: Replayed?
}

extension OpenedRun {
    /// The size of a run, as it was cut into batches.
    package struct Plan: Hashable, Sendable {
        let batches: Int
        /// Users with a receipt or an entitlement.
        package let users: Int
        /// Over everything, includes receipts without a user.
        package let receipts: Int
    }

    /// Settings that all workers of a run should share although they do not change the findings.
    package struct SharedSettings: Hashable, Sendable {
        /// The text of the flag `--max-unverified`.
        package var maxUnverified: String?
        /// `GuardSettings.text`.
        package var guards: String?
        package var evidence: Evidence?
        package var rate: Double?
        package var sandboxRate: Double?
        package var apiRate: Double?
    }

    /// A published run with all answers kept, and its settings. A setting is nil when the release
    /// that made the run did not store it. A type of its own: a replay inherits these settings, but
    /// has no hold on this run.
    package struct Replayed: Hashable, Sendable {
        let run: Run
        let usersPerBatch: Int
        package let settle: Duration?
        package let tolerance: Duration?
        package let eventHorizon: Duration?
        /// The text of the flag `--max-unverified`.
        package let maxUnverified: String?
        package let source: SourceChoice
        package let apiApps: APIApps
    }

    /// An unfinished run that this process may resume or join, and what decides whether it may. A
    /// type of its own: most are not taken, and then there is nothing that this process works on.
    package struct Candidate: Hashable, Sendable {
        let run: Run
        /// Whether `Run.rulesVersion` and the settings that change the findings are the same.
        let hasSameRules: Bool
        /// Whether the settings that change the findings and the URLs of Apple's servers are the
        /// same.
        let hasSameServers: Bool
        let hasSameScope: Bool
        /// Whether its users are divided into batches.
        let isCut: Bool
        /// Whether a live process works on it.
        let hasWorker: Bool
        var shared = SharedSettings()

        /// Whether a run that starts now may resume this one. A partial run or a trial is not
        /// resumed while a worker is alive; for other runs the run lock excludes a second run.
        /// - Parameter limit: the maximum age of the run's `as_of`.
        func mayBeResumed(asOf: Instant?, now: Instant, within limit: Duration) -> Bool {
            guard isCut, hasSameRules, hasSameServers, hasSameScope else { return false }
            guard run.makesHistory || !hasWorker else { return false }
            guard asOf == nil || asOf == run.asOf else { return false }
            return run.asOf >= now - limit
        }
    }
}
