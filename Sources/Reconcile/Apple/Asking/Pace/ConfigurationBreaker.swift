/// Circuit breaker for one app. Opens when nearly all of the last answers refuse its secret or the
/// request: a temporary problem, because earlier answers did not. Three good probes in a row close
/// it.
///
/// Times are counted from one origin.
struct ConfigurationBreaker: Sendable {
    enum Phase: Equatable, Sendable {
        case free
        case wait(until: Duration)
        /// Paused, and the next probe is due.
        case due
        case gaveUp
    }

    enum Change: Equatable, Sendable {
        case paused
        case resumed(after: Duration)
    }

    private struct Pause {
        let since: Duration
        var nextTry: Duration
        var lastTry: Duration
        var wait: Duration
        var goodTries = 0
    }

    /// A receipt without subscriptions is verified with a wrong secret, too. A smaller share of
    /// refusals is normal.
    private static let answers = 20
    private static let misconfigured = 18
    private static let goodTriesToResume = 3
    private static let longestWait = Duration.seconds(30)

    private let firstWait: Duration
    private var recent = RecentAnswers(capacity: answers)
    private var pause: Pause?

    init(firstWait: Duration) { self.firstWait = min(firstWait, Self.longestWait) }

    mutating func note(isMisconfigured: Bool, at now: Duration) -> Change? {
        guard var pause else {
            recent.note(isMisconfigured)
            guard recent.marked >= Self.misconfigured else { return nil }
            recent.forget()
            self.pause = Pause(
                since: now, nextTry: now + firstWait, lastTry: now, wait: firstWait)
            return .paused
        }
        pause.goodTries = isMisconfigured ? 0 : pause.goodTries + 1
        guard pause.goodTries < Self.goodTriesToResume else {
            self.pause = nil
            return .resumed(after: now - pause.since)
        }
        if !isMisconfigured { pause.nextTry = now }
        self.pause = pause
        return nil
    }

    var isPaused: Bool { pause != nil }

    /// A pause without a probe, because other apps came first, is not over before one more.
    func phase(at now: Duration, patience: Duration) -> Phase {
        guard let pause else { return .free }
        let end = pause.since + patience
        if now >= end {
            let isUntried = pause.lastTry < now - Self.longestWait
            return pause.goodTries > 0 || isUntried ? .due : .gaveUp
        }
        return now < pause.nextTry ? .wait(until: min(pause.nextTry, end)) : .due
    }

    /// While open, the request is a probe, and the next one waits whether or not an answer comes.
    mutating func begin(at now: Duration) {
        guard var pause else { return }
        pause.wait = min(pause.wait * 2, Self.longestWait)
        pause.nextTry = now + pause.wait
        pause.lastTry = now
        self.pause = pause
    }
}
