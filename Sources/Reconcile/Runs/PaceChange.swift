/// A change of the request rate, the circuit breaker, a server's clock or its announcements.
package enum PaceChange: Hashable, Sendable {
    /// The rate was halved, to `perSecond`, because the server fails.
    case rateHalved(AppleServer, perSecond: Double)
    case rateRestored(AppleServer, perSecond: Double)
    /// The server sent a `Retry-After` long enough to pause the bucket.
    case paused(AppleServer, for: Duration)
    /// The circuit breaker opened: half of the requests fail, the last one for `cause`. Requests
    /// stop, except for one probe at a time.
    case outageBegan(of: AnswerSource = .verifyReceipt, cause: String)
    case outageEnded(of: AnswerSource = .verifyReceipt, after: Duration)
    case clockDiffers(server: Instant, ours: Instant)
    case retirementAnnounced(RetirementNotice)
    /// The circuit breaker gave up: the remaining receipts are not sent.
    case outageGaveUp(of: AnswerSource = .verifyReceipt, after: Duration)
    /// Most answers for an app say that its shared secret is wrong or missing, or that Apple cannot
    /// read the requests. Its receipts are no longer sent.
    case bundleStopped(AppReceipts, Unverified)
    /// Answers for an app turned to `status`: one of its receipts at a time is sent, as a probe.
    case bundlePaused(AppReceipts, status: Int)
    case bundleResumed(AppReceipts, after: Duration)
}
