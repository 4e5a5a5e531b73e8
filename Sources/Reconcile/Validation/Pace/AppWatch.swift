/// What Apple's answers say of each app's configuration (SPEC §2.7): whether it is wrong from the
/// first, so that nothing more is asked, or for a while.
///
/// Each further question about an app whose shared secret is wrong would bring another 21004 and no
/// knowledge. Answers that say nothing about a secret do not count: those of the retry class, 21007
/// and 21008.
struct AppWatch: Sendable {
    enum Standing: Equatable, Sendable {
        case free
        case wait(until: Duration)
        case stopped(Unverified)
        /// Just now: its pause has outlasted our patience.
        case outlasted(Unverified)
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
        /// Once an answer was as if the configuration were wrong.
        var breaker: ConfigurationBreaker?
        /// What such answers make a receipt.
        var trouble = Unverified.sharedSecretRejected

        var isWell: Bool { firstAnswers == AppWatch.firstAnswers && breaker == nil }
    }

    private static let firstAnswers = 20
    /// Bundle ids come from receipts, so that anybody can invent one. More than a team has apps.
    private static let mostBundles = 1_000

    private let patience: Duration
    private let firstWait: Duration
    private var apps: [BundleID: App] = [:]
    /// An app was stopped or paused.
    private var hasTrouble = false

    /// - Parameters:
    ///   - patience: how long one pause may last.
    ///   - firstWait: before the first try in a pause; doubled after each, up to 30 s.
    init(patience: Duration, firstWait: Duration) {
        self.patience = patience
        self.firstWait = firstWait
    }

    /// What the next request about `bundle` may do.
    mutating func standing(of bundle: BundleID, at now: Duration) -> Standing {
        guard hasTrouble, let app = apps[bundle] else { return .free }
        if let cause = app.stoppedFor { return .stopped(cause) }
        switch app.breaker?.standing(at: now, patience: patience) {
        case .wait(let end): return .wait(until: end)
        case .outlasted:
            apps[bundle]?.stoppedFor = app.trouble
            return .outlasted(app.trouble)
        case .free, nil: return .free
        }
    }

    /// Lets a request about `bundle` go out; false when it has to wait.
    mutating func begin(_ bundle: BundleID, at now: Duration) -> Bool {
        guard hasTrouble else { return true }
        guard let app = apps[bundle], app.stoppedFor == nil else { return apps[bundle] == nil }
        guard let breaker = app.breaker else { return true }
        guard breaker.standing(at: now, patience: patience) == .free else { return false }
        apps[bundle]?.breaker?.begin(at: now)
        return true
    }

    /// Notes an answer about a receipt of `bundle`.
    mutating func note(
        _ bundle: BundleID, _ answer: AppleStatus.Server, hasSecret: Bool, at now: Duration
    ) -> Change? {
        let isMismatch = answer == .secretMismatch
        let isMisconfigured = isMismatch || answer == .notUnderstood
        let known = apps[bundle]
        // Nearly every answer.
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
