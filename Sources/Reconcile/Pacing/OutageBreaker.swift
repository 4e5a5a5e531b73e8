/// A circuit breaker that detects an outage of Apple's servers and probes for its end.
///
/// Source: Michael Nygard, "Release It!". It is closed until half of the recent answers fail, then
/// open: one request at a time is sent as a probe. Three sound probes in a row close it. After
/// `patience` it gives up for good. Times count from one fixed origin.
struct OutageBreaker: Sendable {
    enum Admission: Equatable, Sendable {
        case free
        /// Send one request alone, then call `recordProbe`.
        case probe
        case wait(until: Duration)
        case never
    }

    enum Change: Hashable, Sendable {
        case began
        case ended(after: Duration)
        case gaveUp(Duration)
    }

    private enum State {
        case closed
        case out(Outage)
        case over
    }

    private struct Outage {
        let since: Duration
        var nextProbe: Duration
        var wait: Duration
        var soundProbes = 0
    }

    /// Fewer answers than this prove no outage.
    private static let leastAnswers = 50
    /// Where half of the requests fail, one sound probe may be chance.
    private static let soundProbesToResume = 3

    var patience: Duration
    private let firstWait: Duration
    private let longestWait: Duration
    private var recent = RecentAnswers(capacity: 200)
    private var state = State.closed

    /// - Parameter firstWait: the wait before the first probe; doubles after each failed probe.
    init(patience: Duration, firstWait: Duration, longestWait: Duration = .seconds(30)) {
        self.patience = patience
        self.firstWait = min(firstWait, longestWait)
        self.longestWait = longestWait
    }

    var isClosed: Bool {
        if case .closed = state { return true }
        return false
    }

    /// For requests that were not probes. Answers while the circuit breaker is open are ignored.
    mutating func note(_ answer: AnswerClass, at now: Duration) -> Change? {
        guard case .closed = state else { return nil }
        recent.note(answer != .sound)
        guard recent.count >= Self.leastAnswers, recent.marked * 2 >= recent.count else {
            return nil
        }
        recent.forget()
        state = .out(Outage(since: now, nextProbe: now + firstWait, wait: firstWait))
        return .began
    }

    /// - Parameters:
    ///   - answer: nil when it says nothing about the server: another probe may follow at once.
    ///   - retryAfter: the server's `Retry-After`; the next probe waits at least this long.
    mutating func recordProbe(
        _ answer: AnswerClass?, retryAfter: Duration? = nil, at now: Duration
    ) -> Change? {
        guard case .out(var outage) = state else { return nil }
        if answer == nil {
            outage.nextProbe = now
        } else if answer == .sound {
            outage.soundProbes += 1
            if outage.soundProbes == Self.soundProbesToResume {
                state = .closed
                return .ended(after: now - outage.since)
            }
            outage.nextProbe = now
        } else {
            outage.soundProbes = 0
            outage.wait = outage.wait < longestWait / 2 ? outage.wait * 2 : longestWait
            outage.nextProbe = now + max(outage.wait, retryAfter ?? .zero)
        }
        state = .out(outage)
        return nil
    }

    mutating func giveUpIfOverdue(at now: Duration) -> Change? {
        guard case .out(let outage) = state, now >= outage.since + patience else { return nil }
        state = .over
        return .gaveUp(now - outage.since)
    }

    func admission(at now: Duration) -> Admission {
        switch state {
        case .closed: .free
        case .out(let outage) where now >= outage.nextProbe: .probe
        case .out(let outage): .wait(until: min(outage.nextProbe, outage.since + patience))
        case .over: .never
        }
    }
}
