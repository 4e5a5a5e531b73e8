package struct RunEffort: Sendable {
    var worker: Int
    /// Nil when fewer than two requests were sent.
    package var pace: RunPace?
    /// The most frequent reason why calls failed, and what to do; nil when none failed.
    package var mostFrequentFailure: String?
}
