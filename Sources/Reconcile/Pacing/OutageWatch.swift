/// Tells an outage from bad luck, and when to try whether it is over (SPEC §2.7).
///
/// It is the circuit breaker of Michael Nygard's "Release It!", with an end to its patience. While
/// there is an outage, one request at a time goes out as a probe; several sound ones in a row end
/// it. Time is counted from the same origin every time.
struct OutageWatch: Sendable {
    enum Admission: Equatable, Sendable {
        case free
        /// Go out, alone, and say with `noteProbe` what came of it.
        case probe
        /// Ask again then.
        case wait(until: Duration)
        /// Patience is at its end: nothing more is asked.
        case never
    }

    enum Change: Hashable, Sendable {
        case began
        case ended(after: Duration)
        case outlasted(Duration)
    }

    private enum State {
        case calm
        case out(Outage)
        case over
    }

    private struct Outage {
        let since: Duration
        var nextProbe: Duration
        var wait: Duration
        var soundProbes = 0
    }

    /// Fewer answers than this prove nothing.
    private static let leastAnswers = 50
    /// One alone may be luck where half of the requests fail.
    private static let soundProbesToResume = 3

    /// How long one outage may last.
    var patience: Duration
    private let firstWait: Duration
    private let longestWait: Duration
    private var recent = RecentAnswers(capacity: 200)
    private var state = State.calm

    /// - Parameters:
    ///   - patience: how long one outage may last.
    ///   - firstWait: before the first probe; doubled after each that fails, up to `longestWait`.
    init(patience: Duration, firstWait: Duration, longestWait: Duration = .seconds(30)) {
        self.patience = patience
        self.firstWait = min(firstWait, longestWait)
        self.longestWait = longestWait
    }

    var isCalm: Bool {
        if case .calm = state { return true }
        return false
    }

    /// Notes an answer to a request that was no probe. One that was under way when the outage
    /// began says nothing new.
    mutating func note(_ answer: AnswerClass, at now: Duration) -> Change? {
        guard case .calm = state else { return nil }
        recent.note(answer != .sound)
        guard recent.count >= Self.leastAnswers, recent.marked * 2 >= recent.count else {
            return nil
        }
        recent.forget()
        state = .out(Outage(since: now, nextProbe: now + firstWait, wait: firstWait))
        return .began
    }

    /// Notes what came of a probe.
    /// - Parameter retryAfter: the server's wish; no probe goes out before.
    mutating func noteProbe(
        _ answer: AnswerClass, retryAfter: Duration? = nil, at now: Duration
    ) -> Change? {
        guard case .out(var outage) = state else { return nil }
        if answer == .sound {
            outage.soundProbes += 1
            if outage.soundProbes == Self.soundProbesToResume {
                state = .calm
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

    /// Ends an outage that has outlasted our patience.
    mutating func loseInterest(at now: Duration) -> Change? {
        guard case .out(let outage) = state, now >= outage.since + patience else { return nil }
        state = .over
        return .outlasted(now - outage.since)
    }

    /// What the next request may do.
    func admission(at now: Duration) -> Admission {
        switch state {
        case .calm: .free
        case .out(let outage) where now >= outage.nextProbe: .probe
        case .out(let outage): .wait(until: min(outage.nextProbe, outage.since + patience))
        case .over: .never
        }
    }
}
