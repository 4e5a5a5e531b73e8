/// How fast Apple may be asked, and whether at all: what all workers of a run have learned of its
/// servers together (SPEC §2.6, §2.7).
///
/// The rules are values of Pacing; this keeps them, waits as they say, and tells what changes.
actor Pace {
    enum Admission: Equatable, Sendable {
        /// Ask now, then `note` what came, then `leave`.
        case free
        /// The same, and nobody else asks meanwhile.
        case probe
        /// The deadline has passed.
        case tooLate
        /// An outage has outlasted our patience.
        case outage
        /// Of the bundle nothing more is asked.
        case bundleStopped
    }

    /// A noted answer.
    struct Standing: Equatable, Sendable {
        /// Of all answers, from 1; one that refuses a receipt again has that of the last before it.
        let number: Int
        /// Whether a refusal may be believed now.
        let believesRejections: Bool
    }

    /// A longer `Retry-After` is for all who ask the server, not only for the one that got it.
    private static let longestWaitOfOne = Duration.seconds(60)

    private let clock: AnyClock
    private let origin: AnyClock.Instant
    private let patience: Duration
    private let limiters: [StoreEnvironment: RateLimiter<AnyClock>]
    private let waits: WaitTally
    private let observe: @Sendable (PaceChange) -> Void
    private var outages: OutageWatch
    private var storm = RejectionStorm()
    /// The answers that refused a receipt when others asked, by question; none if those were of a
    /// storm.
    private var recalled: [[UInt8]: [Int]] = [:]
    private var secrets = SharedSecretWatch()
    /// Whose turn it is to be the probe.
    private let probe = Turn()

    init(
        _ settings: ValidationSettings, clock: AnyClock, waits: WaitTally = WaitTally(),
        observe: @escaping @Sendable (PaceChange) -> Void
    ) {
        (self.clock, origin, self.waits, self.observe) = (clock, clock.now, waits, observe)
        patience = settings.outagePatience
        let rates = [
            (StoreEnvironment.production, settings.rate), (.sandbox, settings.sandboxRate),
        ]
        limiters = Dictionary(
            uniqueKeysWithValues: rates.map { environment, rate in
                let bucket = settings.bucket(rate: rate)
                return (environment, RateLimiter(bucket, rate: rate, clock: clock))
            })
        outages = OutageWatch(
            patience: settings.outagePatience, firstWait: settings.firstProbeWait)
    }

    private var now: Duration { origin.duration(to: clock.now) }

    /// Waits until `environment` may be asked about a receipt of `bundle`.
    /// - Throws: `CancellationError`; then there is nothing to leave.
    func admission(
        to environment: StoreEnvironment, for bundle: BundleID, before deadline: AnyClock.Instant?
    ) async throws -> Admission {
        while true {
            if secrets.isStopped(bundle) { return .bundleStopped }
            let admission = try await entrance(before: deadline)
            guard admission == .free || admission == .probe else { return admission }
            do {
                // Nobody waits for a token for longer than an outage may last, since one may be
                // over by then; and who has waited through the beginning of one waits again.
                let start = clock.now
                defer { waits.waitedForTokens(start.duration(to: clock.now)) }
                let limit = start.advanced(by: max(patience, .seconds(1)))
                let isThrough = try await limiters[environment]?.acquire(
                    before: deadline.map { min($0, limit) } ?? limit)
                if isThrough == true, admission == .probe || outages.isCalm { return admission }
            } catch {
                leave(admission)
                throw error
            }
            leave(admission)
            if let deadline, clock.now >= deadline { return .tooLate }
        }
    }

    /// Through at once when all is well; in an outage one by one, when a probe is due.
    private func entrance(before deadline: AnyClock.Instant?) async throws -> Admission {
        if outages.isCalm { return .free }
        try await probe.take()
        var isProbe = false
        defer { if !isProbe { probe.pass() } }
        while true {
            if let deadline, clock.now >= deadline { return .tooLate }
            tell(outages.loseInterest(at: now))
            switch outages.admission(at: now) {
            case .free: return .free
            case .never: return .outage
            case .probe:
                isProbe = true
                return .probe
            case .wait(let end):
                try await clock.sleep(until: origin.advanced(by: end), orUntil: deadline)
            }
        }
    }

    /// Ends what `admission` began. Called once for each that was `free` or `probe`.
    nonisolated func leave(_ admission: Admission) { if admission == .probe { probe.pass() } }

    /// Learns from the answer to a request that had `admission`.
    /// - Parameter isRefusedBefore: whether an answer refused the receipt already.
    func note(
        _ reply: ReplyClass, from environment: StoreEnvironment, about question: ReceiptQuestion,
        after admission: Admission, retryAfter: Duration?, isRefusedBefore: Bool = false
    ) async -> Standing {
        // The first refusal counts for the second too; those beyond are echoes of our own doubt.
        if reply != .rejection || !isRefusedBefore {
            tell(storm.note(isRejection: reply == .rejection))
        }
        let standing = Standing(number: storm.answers, believesRejections: !storm.isOn)
        let answer = AnswerClass(reply, inStorm: storm.isOn)
        if admission == .probe {
            tell(outages.noteProbe(answer, retryAfter: retryAfter, at: now))
        } else {
            tell(outages.note(answer, at: now))
        }
        if answer == .sound, reply != .elsewhere,
            secrets.note(question.bundle, isMismatch: reply == .secretMismatch)
        {
            observe(.bundleStopped(question.bundle, hasSecret: question.secret != nil))
        }
        tell(await limiters[environment]?.note(answer), environment)
        if let retryAfter, retryAfter > Self.longestWaitOfOne, answer != .sound {
            // All that are under way may bring the same wish; it is told once.
            let isNew = await limiters[environment]?.pause(for: retryAfter)
            if isNew == true { observe(.paused(environment, for: retryAfter)) }
        }
        return standing
    }

    /// How many wait in an outage behind the first in line.
    var waiting: Int { probe.waiting }

    /// Whether so many of the answers `refusals` are of a storm, as far as is known now, that no
    /// two are left which refuse the receipt.
    func doubts(_ refusals: [Int]) -> Bool { refusals.count { !storm.doubts($0) } < 2 }

    /// Learns what was answered before this process came to the run; or later, what others were
    /// answered meanwhile.
    func recall(_ history: RefusalHistory) {
        if storm.answers == 0 {
            for change in storm.note(history) { tell(change) }
            for refusal in history.refusals {
                recalled[refusal.question] = Self.twice(refusal.number)
            }
            return
        }
        // Their numbers are not ours: what they saw is asked of them, and what they did not see
        // stands where we are.
        var theirs = RejectionStorm()
        _ = theirs.note(history)
        for refusal in history.refusals where recalled[refusal.question] == nil {
            let isOfStorm = theirs.isSeen(at: refusal.number)
            recalled[refusal.question] = isOfStorm ? [] : Self.twice(storm.answers)
        }
    }

    private static func twice(_ number: Int) -> [Int] { [number, number] }

    /// Whether `recall` has told of a refusal of `question`.
    func recalls(_ question: [UInt8]) -> Bool { recalled[question] != nil }

    /// The numbers of the answers that refused the receipt of `question` when another asked.
    func refusals(ofRecorded question: [UInt8]) -> [Int] {
        recalled[question] ?? Self.twice(storm.answers)
    }

    /// Whether nothing that comes can change what `doubts` says of them.
    func isSettled(_ refusals: [Int]) -> Bool { refusals.allSatisfy(storm.isSettled) }
}

// What the rules say, in the words of a run.
extension Pace {
    private func tell(_ change: AdaptiveRate.Change?, _ environment: StoreEnvironment) {
        switch change {
        case .halved(let rate): observe(.rateHalved(environment, perSecond: rate))
        case .restored(let rate): observe(.rateRestored(environment, perSecond: rate))
        case nil: break
        }
    }

    private func tell(_ change: OutageWatch.Change?) {
        switch change {
        case .began: observe(.outageBegan)
        case .ended(let duration): observe(.outageEnded(after: duration))
        case .outlasted(let duration): observe(.outageOutlasted(after: duration))
        case nil: break
        }
    }

    private func tell(_ change: RejectionStorm.Change?) {
        switch change {
        case .began: observe(.rejectionsDoubted)
        case .ended: observe(.rejectionsBelieved)
        case nil: break
        }
    }
}

extension AnswerClass {
    fileprivate init(_ reply: ReplyClass, inStorm isStorm: Bool) {
        self =
            switch reply {
            case .sound, .secretMismatch, .elsewhere: .sound
            case .rejection: isStorm ? .troubled : .sound
            case .troubled: .troubled
            case .throttled: .throttled
            }
    }
}

extension RejectionStorm {
    fileprivate mutating func note(_ history: RefusalHistory) -> [Change] {
        var changes: [Change?] = []
        for refusal in history.refusals {
            changes.append(skip(refusal.number - 1 - answers))
            changes.append(note(isRejection: true))
        }
        changes.append(skip(history.answers - answers))
        return changes.compactMap(\.self)
    }
}
