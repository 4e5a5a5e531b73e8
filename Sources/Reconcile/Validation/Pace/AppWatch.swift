/// Stops or pauses requests about an app with a wrong configuration: for good when most of its
/// first answers are 21004, else for a while.
///
/// Answers that say nothing about the secret are not counted: those of the retry class, 21007 and
/// 21008.
struct AppWatch: Sendable {
    enum Standing: Equatable, Sendable {
        case free
        case wait(until: Duration)
        case stopped(Unverified)
        /// The pause is longer than the patience; later calls return `stopped`.
        case gaveUp(Unverified)
    }

    enum Change: Equatable, Sendable {
        case stopped(Unverified)
        case paused(status: Int)
        case resumed(after: Duration)
    }

    private struct App {
        var firstAnswers = 0
        var firstMismatches = 0
        var stoppedFor: Unverified?
        /// Set after the first answer that hints at a wrong configuration.
        var breaker: ConfigurationBreaker?
        /// The cause of receipts that are not requested while the configuration is wrong.
        var trouble = Unverified.sharedSecretRejected

        var isWell: Bool { firstAnswers == AppWatch.firstAnswers && breaker == nil }
    }

    private static let firstAnswers = 20
    /// A limit on memory: bundle ids come from receipts, so anyone can invent them.
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

    mutating func standing(of bundle: BundleID, at now: Duration) -> Standing {
        guard hasTrouble, let app = apps[bundle] else { return .free }
        if let cause = app.stoppedFor { return .stopped(cause) }
        switch app.breaker?.standing(at: now, patience: patience) {
        case .wait(let end): return .wait(until: end)
        case .gaveUp:
            apps[bundle]?.stoppedFor = app.trouble
            return .gaveUp(app.trouble)
        case .free, nil: return .free
        }
    }

    mutating func tryBegin(_ bundle: BundleID, at now: Duration) -> Bool {
        guard hasTrouble else { return true }
        guard let app = apps[bundle], app.stoppedFor == nil else { return apps[bundle] == nil }
        guard let breaker = app.breaker else { return true }
        guard breaker.standing(at: now, patience: patience) == .free else { return false }
        apps[bundle]?.breaker?.begin(at: now)
        return true
    }

    mutating func note(
        _ bundle: BundleID, _ answer: AppleStatus.Server, hasSecret: Bool, at now: Duration
    ) -> Change? {
        let isMismatch = answer == .secretMismatch
        let isMisconfigured = isMismatch || answer == .notUnderstood
        let known = apps[bundle]
        // The fast path, for nearly every answer.
        if let known, known.isWell, !isMisconfigured { return nil }
        guard known != nil || apps.count < Self.mostBundles else { return nil }
        var app = known ?? App()
        defer { apps[bundle] = app }
        if app.firstAnswers < Self.firstAnswers, answer != .notUnderstood {
            app.firstAnswers += 1
            if isMismatch { app.firstMismatches += 1 }
            guard app.firstAnswers == Self.firstAnswers,
                app.firstMismatches * 2 > app.firstAnswers
            else { return nil }
            let cause: Unverified = hasSecret ? .sharedSecretRejected : .sharedSecretMissing
            app.stoppedFor = cause
            hasTrouble = true
            return .stopped(cause)
        }
        if isMisconfigured {
            app.trouble =
                !isMismatch
                ? .requestRefused : hasSecret ? .sharedSecretRejected : .sharedSecretMissing
        }
        var breaker = app.breaker ?? ConfigurationBreaker(firstWait: firstWait)
        defer { app.breaker = breaker }
        switch breaker.note(isMisconfigured: isMisconfigured, at: now) {
        case .paused:
            hasTrouble = true
            return .paused(status: isMismatch ? 21004 : 21000)
        case .resumed(let duration): return .resumed(after: duration)
        case nil: return nil
        }
    }
}
