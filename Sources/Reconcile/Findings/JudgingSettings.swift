/// The instant and the tolerances that everything is judged with.
package struct JudgingSettings: Hashable, Sendable {
    package var asOf: Instant
    /// A finding whose cause is younger is left to settle: Apple and the service need time.
    package var settle: Duration
    /// How far a stored expiry may be from Apple's.
    package var tolerance: Duration
    /// Events older than this are remembered, not reported.
    package var eventHorizon: Duration
    /// Nobody was asked: receipts speak for themselves, and know nothing of what came after them.
    package var isOffline: Bool

    package init(
        asOf: Instant, settle: Duration = .seconds(86_400), tolerance: Duration = .seconds(60),
        eventHorizon: Duration = .seconds(90 * 86_400), isOffline: Bool = false
    ) {
        self.asOf = asOf
        self.settle = settle
        self.tolerance = tolerance
        self.eventHorizon = eventHorizon
        self.isOffline = isOffline
    }

    /// Whether a finding caused at `cause` is left to settle. Nil: it never is.
    func isSettling(_ cause: Instant?) -> Bool { cause.map { $0 > asOf - settle } ?? false }

    func isReportable(eventAt: Instant) -> Bool { eventAt >= asOf - eventHorizon }
}
