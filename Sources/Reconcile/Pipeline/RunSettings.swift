/// What a run may take, and what it keeps.
package struct RunSettings: Sendable {
    /// Requests in flight at once.
    package var inFlight: Int
    /// From here on nothing more is asked; `--max-runtime`.
    package var deadline: ContinuousClock.Instant?
    /// This process, for people: host and process id.
    package var workerName: String
    /// Which of Apple's answers are kept.
    package var evidence: Evidence
    /// Of which answers the receipt is kept that Apple signed with them.
    package var keepsReceipts = Evidence.none
    /// How long a group of the second look is put off at most, when Apple refuses a control.
    package var outagePatience: Duration

    package init(
        inFlight: Int = 16, deadline: ContinuousClock.Instant? = nil, workerName: String = "worker",
        evidence: Evidence = .findings, outagePatience: Duration = .seconds(600)
    ) {
        self.inFlight = inFlight
        self.deadline = deadline
        self.workerName = workerName
        self.evidence = evidence
        self.outagePatience = outagePatience
    }
}
