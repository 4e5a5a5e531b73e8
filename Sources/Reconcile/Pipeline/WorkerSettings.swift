extension RunWorker {
    package struct Settings: Sendable {
        var inFlight: Int
        /// No requests are sent after it; `--max-runtime`.
        var deadline: Deadline?
        /// The host and process id, for messages.
        var workerName: String
        var evidence: Evidence
        /// Which answers have their signed receipt kept (`--keep-receipts`).
        package var keepsReceipts = Evidence.none
        /// How long a group of the second look waits at most when its refusals cannot be trusted.
        var outagePatience: Duration
        /// Between two requests about an app whose requests are stopped.
        var appPause = AppWatch.pauseBetweenTries

        package init(
            inFlight: Int = 16, deadline: Deadline? = nil, workerName: String = "worker",
            evidence: Evidence = .findings, outagePatience: Duration = .seconds(600)
        ) {
            self.inFlight = inFlight
            self.deadline = deadline
            self.workerName = workerName
            self.evidence = evidence
            self.outagePatience = outagePatience
        }
    }

    /// What a worker did for a run.
    package struct Effort: Sendable {
        var worker: Int
        /// Nil when fewer than two requests were sent.
        package var pace: RequestRate?
        /// The most frequent reason why calls failed, and what to do; nil when none failed.
        package var mostFrequentFailure: String?
    }
}
