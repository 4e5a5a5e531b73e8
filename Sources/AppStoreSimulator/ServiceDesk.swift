internal import Synchronization

/// From a request to what the server does about it: the answer, and the fault and the wait before
/// it, if there are any.
final class ServiceDesk: Sendable {
    private struct Counter: Hashable {
        let mark: ReceiptMark
        let environment: Verifier.Environment
    }

    private struct State {
        var attempts: [Counter: Int] = [:]
        var answers = AnswerCache()
    }

    private let store: SimulatedStore
    private let verifier: Verifier
    private let faults: FaultPlan
    private let latencyMilliseconds: Int
    private let startedAt = ContinuousClock.now
    private let count = Atomic<Int>(0)
    private let state = Mutex(State())

    init(store: SimulatedStore, settings: AppStoreSimulator.Settings) {
        (self.store, verifier, faults) = (store, Verifier(store: store), settings.faults)
        latencyMilliseconds = Int(settings.latency / .milliseconds(1))
    }

    var requests: Int { count.load(ordering: .relaxed) }

    func reply(to request: HTTPRequest, at environment: Verifier.Environment) -> [ReplyStep] {
        let number = count.add(1, ordering: .relaxed).newValue
        let path = request.path.prefix { $0 != "?" }
        guard path == "/verifyReceipt" else {
            return [.send(HTTPReply([], status: 404, reason: "Not Found").bytes)]
        }
        // Anything but a POST is 21000, and so is a body that is no JSON.
        let answer = answer(to: request.method == "POST" ? request.body : [], at: environment)
        let reply = HTTPReply(answer.body)
        let steps = fault(instead: reply, answer, at: environment) ?? [.send(reply.bytes)]
        return wait(before: number) + steps
    }

    private func answer(
        to body: [UInt8], at environment: Verifier.Environment
    ) -> Verifier.Answer {
        let key = AnswerCache.Key(body: body, environment: environment)
        if let answer = state.withLock({ $0.answers[key] }) { return answer }
        let answer = verifier.answer(to: body, at: environment)
        state.withLock { $0.answers[key] = answer }
        return answer
    }

    private func fault(
        instead reply: HTTPReply, _ answer: Verifier.Answer, at environment: Verifier.Environment
    ) -> [ReplyStep]? {
        guard !faults.rules.isEmpty else { return nil }
        let attempt = answer.mark.map { mark in
            state.withLock { state in
                let counter = Counter(mark: mark, environment: environment)
                state.attempts[counter, default: 0] += 1
                return state.attempts[counter, default: 1]
            }
        }
        let elapsed = startedAt.duration(to: .now)
        let occasion = FaultRule.Occasion(
            environment: environment, mark: answer.mark, attempt: attempt ?? 1,
            milliseconds: Int(elapsed / .milliseconds(1)))
        return faults.steps(for: occasion, reply: reply, seed: store.seed)
    }

    /// Half to one and a half of the latency.
    private func wait(before number: Int) -> [ReplyStep] {
        guard latencyMilliseconds > 0 else { return [] }
        var random = SplitMix64(seed: store.seed, part: UInt64(number))
        let jitter = random.below(latencyMilliseconds + 1) - latencyMilliseconds / 2
        return [.wait(milliseconds: latencyMilliseconds + jitter)]
    }
}

/// Answers that were asked for lately. A night asks for each once; a retry, or a benchmark, again.
struct AnswerCache {
    struct Key: Hashable {
        let body: [UInt8]
        let environment: Verifier.Environment

        /// In one piece: an array would be hashed byte by byte.
        func hash(into hasher: inout Hasher) {
            body.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    /// Beyond it the cache begins anew: what is asked again is asked soon.
    private static let mostBytes = 32 << 20

    private var answers: [Key: Verifier.Answer] = [:]
    private var bytes = 0

    subscript(key: Key) -> Verifier.Answer? {
        get { answers[key] }
        set {
            guard let newValue else { return }
            bytes += key.body.count + newValue.body.count
            if bytes > Self.mostBytes { (answers, bytes) = ([:], 0) }
            answers[key] = newValue
        }
    }
}
