/// Puts off the receipts of one app while Apple answers nearly all of them as if the configuration
/// were wrong (21004, 21000), which it was not a moment ago: a passing trouble on either side.
///
/// One request at a time goes out to try; three answers of another kind in a row end the pause.
/// Time is counted from the same origin every time.
struct ConfigurationBreaker: Sendable {
    enum Standing: Equatable, Sendable {
        case free
        case wait(until: Duration)
        /// Patience is at its end.
        case outlasted
    }

    enum Change: Equatable, Sendable {
        case paused
        case resumed(after: Duration)
    }

    private struct Pause {
        let since: Duration
        var nextTry: Duration
        var wait: Duration
        var goodTries = 0
    }

    /// Receipts without subscriptions are verified with a wrong secret too, so that a share of
    /// 21004 among other answers is nothing new.
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
            self.pause = Pause(since: now, nextTry: now + firstWait, wait: firstWait)
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

    /// What the next request may do.
    func standing(at now: Duration, patience: Duration) -> Standing {
        guard let pause else { return .free }
        let end = pause.since + patience
        guard now < end else { return .outlasted }
        return now < pause.nextTry ? .wait(until: min(pause.nextTry, end)) : .free
    }

    /// A request goes out: in a pause the only one for a while, whether or not an answer comes.
    mutating func begin(at now: Duration) {
        guard var pause else { return }
        pause.wait = min(pause.wait * 2, Self.longestWait)
        pause.nextTry = now + pause.wait
        self.pause = pause
    }
}
