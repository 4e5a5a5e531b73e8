/// The request rate of a process and what limited it.
package struct RequestRate: Hashable, Sendable {
    enum Bound: Hashable, Sendable {
        /// Requests waited for the rate limit (`--rate`).
        case rate
        /// As many requests were in flight as `--in-flight` allows.
        case inFlight
        /// Neither limit: reading, judging and recording took the time.
        case ourselves
    }

    /// Requests per second from the first request to the last answer, retries included.
    var perSecond: Double
    var inFlight: Double
    var bound: Bound

    /// Nil for fewer than two requests. `forTokens` and `forAnswers` are the time that all requests
    /// together waited; `limit` is the concurrency limit (`--in-flight`).
    init?(
        requests: Int, forTokens: Duration, forAnswers: Duration, limit: Int, elapsed: Duration
    ) {
        guard requests > 1, elapsed > .zero else { return nil }
        perSecond = Double(requests) / (elapsed / .seconds(1))
        inFlight = forAnswers / elapsed
        let waiting = forTokens / elapsed
        // The rest was idle: no request was ready.
        if waiting > max(Double(limit) * Self.noticeable, Double(limit) - inFlight - waiting) {
            bound = .rate
        } else {
            bound = inFlight > Double(limit) * Self.mostly ? .inFlight : .ourselves
        }
    }

    /// Waiting for tokens during less than a twentieth of the time does not limit the rate.
    private static let noticeable = 0.05
    private static let mostly = 0.7
}
