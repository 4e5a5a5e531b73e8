/// Stops or pauses requests about an app with a wrong configuration: stops them when most of its
/// first answers refuse its secret or a pause takes too long, else pauses them for a while. Of each
/// app one watches the receipts that Apple wrote, and another one all others (`AppWatches`).
///
/// A stopped app is tried with one request at a time. When one is answered otherwise, the app is
/// free again and its answers are counted anew. Answers that say nothing about the secret are not
/// counted: those of a server in trouble, and those that name the other server.
struct AppWatch: Sendable {
    enum Permission: Equatable, Sendable {
        case free
        /// The app is paused. The caller's request is the next probe.
        case isProbe
        /// The app is paused for this cause.
        case wait(until: Duration, Unverified)
        case stopped(Unverified)
        /// The pause is longer than the patience: the app was stopped now.
        case gaveUp(Unverified)
    }

    enum Change: Equatable, Sendable {
        case stopped(Unverified)
        case paused(Unverified)
        case resumed(after: Duration)
    }

    fileprivate struct App {
        var firstAnswers = 0
        var firstMismatches = 0
        /// What most of the first answers said, if they stop the app.
        var denial = Unverified.sharedSecretRejected
        var stopped: Stop?
        /// Set after the first answer that hints at a wrong configuration.
        var breaker: ConfigurationBreaker?
        /// The cause of receipts that are not requested while the configuration is wrong.
        var trouble = Unverified.sharedSecretRejected

        /// The last request with an answer that hints at a wrong configuration, to try the app
        /// with once it is stopped.
        var lastRefused: Question?

        var hasProof: Bool { firstAnswers == AppWatch.firstAnswers && stopped == nil }

        var isWell: Bool { hasProof && breaker == nil }

        var isWithoutDoubt: Bool { firstMismatches == 0 && breaker == nil && stopped == nil }
    }

    fileprivate struct Stop {
        let cause: Unverified
        let since: Duration
        var nextTry: Duration
        /// Whether a request was sent to try the app. Others were sent before it was stopped.
        var isTried = false
    }

    /// Between two tries of a stopped app.
    static let pauseBetweenTries = Duration.seconds(60)

    fileprivate static let firstAnswers = 20
    /// A limit on memory, far above the number of apps that a service has.
    private static let mostBundles = 1_000

    private let patience: Duration
    private let firstWait: Duration
    private var apps: [BundleID: App] = [:]
    private var hasTrouble = false

    /// - Parameter firstWait: the time before the first probe of a pause; doubles up to 30 s.
    init(patience: Duration, firstWait: Duration) {
        self.patience = patience
        self.firstWait = firstWait
    }

    func mayBeHeld(_ bundle: BundleID) -> Bool { hasTrouble && apps[bundle] != nil }

    /// Whether many answers show that the secret is right, and none that it is not.
    func isWell(_ bundle: BundleID) -> Bool { apps[bundle]?.isWell ?? false }

    /// Whether no answer hints at a wrong configuration.
    func isWithoutDoubt(_ bundle: BundleID) -> Bool { apps[bundle]?.isWithoutDoubt ?? true }

    /// Whether the first answers showed that the secret is right.
    func hasProof(_ bundle: BundleID) -> Bool { apps[bundle]?.hasProof ?? false }

    func stopCause(of bundle: BundleID) -> Unverified? {
        hasTrouble ? apps[bundle]?.stopped?.cause : nil
    }

    mutating func permission(of bundle: BundleID, at now: Duration) -> Permission {
        guard hasTrouble, let app = apps[bundle] else { return .free }
        if let stop = app.stopped { return .stopped(stop.cause) }
        switch app.breaker?.phase(at: now, patience: patience) {
        case .wait(let end): return .wait(until: end, app.trouble)
        case .due:
            apps[bundle]?.breaker?.begin(at: now)
            return .isProbe
        case .gaveUp:
            apps[bundle]?.stop(for: app.trouble, at: now)
            return .gaveUp(app.trouble)
        case .free, nil: return .free
        }
    }

    /// Neither stopped nor paused.
    func isFree(_ bundle: BundleID) -> Bool {
        guard hasTrouble, let app = apps[bundle] else { return true }
        return app.stopped == nil && app.breaker?.isPaused != true
    }

    /// Whether the app is paused and no try is due.
    func isPaused(_ bundle: BundleID, at now: Duration) -> Bool {
        guard hasTrouble, let breaker = apps[bundle]?.breaker else { return false }
        if case .wait = breaker.phase(at: now, patience: patience) { return true }
        return false
    }

    func knows(_ bundle: BundleID) -> Bool { apps[bundle] != nil }

    /// Whether a request about a stopped app may be sent now to try it: one a minute may.
    mutating func claimTry(_ bundle: BundleID, at now: Duration) -> Bool {
        guard let stop = apps[bundle]?.stopped, stop.nextTry <= now else { return false }
        tryNow(bundle, at: now)
        return true
    }

    /// The next request about a stopped app is a try.
    mutating func tryNow(_ bundle: BundleID, at now: Duration) {
        apps[bundle]?.stopped?.isTried = true
        apps[bundle]?.stopped?.nextTry = now + Self.pauseBetweenTries
    }

    /// The stopped apps, each with a receipt to try it with.
    var stopped: [(question: Question, cause: Unverified)] {
        guard hasTrouble else { return [] }
        return apps.values.compactMap { app in
            guard let stop = app.stopped, let question = app.lastRefused else { return nil }
            return (question, stop.cause)
        }
    }

    /// Whether the request's app is stopped. Keeps the request to try the app with, if it has none.
    mutating func isStopped(_ question: Question) -> Bool {
        guard hasTrouble, let app = apps[question.bundle], app.stopped != nil else { return false }
        if app.lastRefused == nil { apps[question.bundle]?.keep(question, isInformative: false) }
        return true
    }

    /// Stops an app that another worker of the run stopped.
    mutating func stop(_ bundle: BundleID, for cause: Unverified, at now: Duration) -> Change? {
        let known = apps[bundle]
        guard known?.stopped == nil, known != nil || apps.count < Self.mostBundles else {
            return nil
        }
        apps[bundle, default: App()].stop(for: cause, at: now)
        hasTrouble = true
        return .stopped(cause)
    }

    /// Frees a stopped app, whose answers are then counted anew.
    mutating func resume(_ bundle: BundleID, at now: Duration) -> Change? {
        guard let stop = apps[bundle]?.stopped else { return nil }
        apps[bundle] = App()
        return .resumed(after: now - stop.since)
    }

    /// Forgets what was answered about the app.
    mutating func free(_ bundle: BundleID, at now: Duration) -> Change? {
        defer { apps[bundle] = nil }
        return resume(bundle, at: now)
    }

    mutating func note(
        _ question: Question, _ access: Attempt.Access, at now: Duration
    ) -> Change? {
        let bundle = question.bundle
        let isMisconfigured = access.isMisconfigured
        let known = apps[bundle]
        if let known, known.isWell, !isMisconfigured { return nil }
        guard known != nil || apps.count < Self.mostBundles else { return nil }
        if let stop = known?.stopped {
            return stop.isTried && !isMisconfigured ? resume(bundle, at: now) : nil
        }
        var app = known ?? App()
        defer { apps[bundle] = app }
        if isMisconfigured { app.keep(question, isInformative: access != .notUnderstood) }
        if app.firstAnswers < Self.firstAnswers, access != .notUnderstood {
            app.firstAnswers += 1
            if let cause = access.denial {
                app.firstMismatches += 1
                app.denial = cause
            }
            guard app.firstAnswers == Self.firstAnswers,
                app.firstMismatches * 2 > app.firstAnswers
            else { return nil }
            app.stop(for: app.denial, at: now)
            hasTrouble = true
            return .stopped(app.denial)
        }
        if isMisconfigured {
            app.trouble = access.denial ?? .requestRefused
        }
        var breaker = app.breaker ?? ConfigurationBreaker(firstWait: firstWait)
        defer { app.breaker = breaker }
        switch breaker.note(isMisconfigured: isMisconfigured, at: now) {
        case .paused:
            hasTrouble = true
            return .paused(app.trouble)
        case .resumed(let duration): return .resumed(after: duration)
        case nil: return nil
        }
    }
}

extension AppWatch.App {
    /// Bytes. The largest receipt seen is 0.5 MB.
    private static let largest = 512 << 10

    /// Keeps `question` unless the app is far from being stopped: anyone can invent many apps.
    fileprivate mutating func keep(_ question: Question, isInformative: Bool) {
        let isLate = !isInformative || firstAnswers >= AppWatch.firstAnswers / 2
        if isLate, question.receipt.bytes.count <= Self.largest { lastRefused = question }
    }

    fileprivate mutating func stop(for cause: Unverified, at now: Duration) {
        let next = now + AppWatch.pauseBetweenTries
        stopped = AppWatch.Stop(cause: cause, since: now, nextTry: next)
    }
}
