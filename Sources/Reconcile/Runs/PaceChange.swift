/// A change in how Apple is asked, or what is seen of its servers, as an observer of a run sees it.
package enum PaceChange: Hashable, Sendable {
    /// A server is in trouble, and is asked half as often: so many times a second.
    case rateHalved(StoreEnvironment, perSecond: Double)
    /// It is asked at the whole rate again.
    case rateRestored(StoreEnvironment, perSecond: Double)
    /// It said itself for how long it wants no request.
    case paused(StoreEnvironment, for: Duration)
    /// Half of the requests fail, the last one for `cause`: the run waits, and tries with one
    /// request at a time.
    case outageBegan(cause: String)
    case outageEnded(after: Duration)
    /// Apple's clock and ours are minutes apart.
    case clockDiffers(server: Instant, ours: Instant)
    /// Apple says that verifyReceipt will end.
    case retirementAnnounced(RetirementNotice)
    /// Patience was at its end first: what is left is not asked about.
    case outageOutlasted(after: Duration)
    /// Apple says so often that an app's shared secret is wrong, or missing, or that it cannot read
    /// the requests, that its receipts are not asked about any more.
    case bundleStopped(BundleID, Unverified)
    /// It suddenly says so of an app that was well: its receipts wait, and are tried one by one.
    case bundlePaused(BundleID, status: Int)
    case bundleResumed(BundleID, after: Duration)
}
