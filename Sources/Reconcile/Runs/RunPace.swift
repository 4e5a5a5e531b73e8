/// How fast a process asked Apple, and what kept it from asking faster.
package struct RunPace: Hashable, Sendable {
    /// What a faster run would have needed more of.
    package enum Bound: Hashable, Sendable {
        /// Requests were ready and waited for `--rate`.
        case rate
        /// As many requests were under way as `--in-flight` allows.
        case inFlight
        /// Neither: reading, judging and recording.
        case ourselves
    }

    /// Requests, repeated ones too, between the first and the last answer.
    package var perSecond: Double
    /// Requests under way at one time, on average, of as many as `--in-flight` allows.
    package var underWay: Double
    package var bound: Bound

    /// - Parameters:
    ///   - forTokens: how long all requests together waited to be let go.
    ///   - forAnswers: how long they were under way.
    ///   - places: what `--in-flight` allows.
    /// - Returns: nil for less than two requests, which have no pace.
    package init?(
        requests: Int, forTokens: Duration, forAnswers: Duration, places: Int, elapsed: Duration
    ) {
        guard requests > 1, elapsed > .zero else { return nil }
        perSecond = Double(requests) / (elapsed / .seconds(1))
        underWay = forAnswers / elapsed
        let waiting = forTokens / elapsed
        // The other places had nothing to ask: what was to be asked was not ready.
        if waiting > max(Double(places) * Self.noticeable, Double(places) - underWay - waiting) {
            bound = .rate
        } else {
            bound = underWay > Double(places) * Self.mostly ? .inFlight : .ourselves
        }
    }

    /// A place that waits for tokens for a twentieth of its time is not what is short.
    private static let noticeable = 0.05
    private static let mostly = 0.7
}
