internal import Synchronization

final class RequestResponder: Sendable {
    private struct Counter: Hashable {
        let receipt: UInt64
        let environment: SimulatedEnvironment
    }

    private struct State {
        var attempts: [Counter: Int] = [:]
        var answers = AnswerCache()
    }

    let log = RequestLog()
    private let store: SimulatedStore
    private let verifier: Verifier
    private let settings: AppStoreSimulator.Settings
    private let latency: Latency
    private let startedAt = ContinuousClock.now
    private let count = Atomic<Int>(0)
    private let state = Mutex(State())

    init(store: SimulatedStore, settings: AppStoreSimulator.Settings) {
        self.store = store
        verifier = Verifier(store: store)
        self.settings = settings
        latency = Latency(settings.latency, seed: store.seed)
    }

    var requests: Int { count.load(ordering: .relaxed) }

    func reply(to request: HTTPRequest, at environment: SimulatedEnvironment) -> [ReplyStep] {
        let number = count.add(1, ordering: .relaxed).newValue
        let path = request.path.prefix { $0 != "?" }
        guard path == "/verifyReceipt" else {
            return [.send(HTTPReply([], status: 404, reason: "Not Found").bytes)]
        }
        // Anything but a POST gets 21000, like a body that is not JSON.
        let body = request.method == "POST" ? request.body : []
        let attempt = countedAttempt(of: body, at: environment)
        if let steps = scripted(body, attempt, at: environment) { return steps }
        let answer = answer(to: body, at: environment)
        let reply = HTTPReply(answer.body)
        guard request.method != "HEAD" else { return [.send(reply.head)] }
        let steps = fault(instead: reply, of: answer, attempt, at: environment)
        return latency.steps(before: number) + (steps ?? [.send(reply.packed(for: request).bytes)])
    }

    private struct Attempt {
        let receipt: UInt64
        /// From 1.
        let number: Int
    }

    /// Counts the attempt. Nil when nothing needs it, because hashing the receipt takes time.
    private func countedAttempt(of body: [UInt8], at environment: SimulatedEnvironment) -> Attempt?
    {
        guard settings.keepsRequests || settings.script != nil || !settings.faults.rules.isEmpty
        else { return nil }
        let receipt = Self.identity(of: body)
        let counter = Counter(receipt: receipt, environment: environment)
        let number = state.withLock { state in
            state.attempts[counter, default: 0] += 1
            return state.attempts[counter, default: 1]
        }
        return Attempt(receipt: receipt, number: number)
    }

    private func scripted(
        _ body: [UInt8], _ attempt: Attempt?, at environment: SimulatedEnvironment
    ) -> [ReplyStep]? {
        guard let attempt, settings.keepsRequests || settings.script != nil else { return nil }
        let request = SimulatedRequest(body, at: environment, attempt: attempt.number)
        if settings.keepsRequests { log.add(request) }
        return settings.script?(request)
    }

    private func answer(
        to body: [UInt8], at environment: SimulatedEnvironment
    ) -> Verifier.Answer {
        let key = AnswerCache.Key(body: body, environment: environment)
        if let answer = state.withLock({ $0.answers[key] }) { return answer }
        let answer = verifier.answer(to: body, at: environment)
        state.withLock { $0.answers[key] = answer }
        return answer
    }

    private func fault(
        instead reply: HTTPReply, of answer: Verifier.Answer, _ attempt: Attempt?,
        at environment: SimulatedEnvironment
    ) -> [ReplyStep]? {
        guard let attempt else { return nil }
        let elapsed = startedAt.duration(to: .now)
        let occasion = FaultRule.Occasion(
            environment: environment, receipt: attempt.receipt, mark: answer.mark,
            attempt: attempt.number, milliseconds: Int(elapsed / .milliseconds(1)))
        return settings.faults.steps(for: occasion, reply: reply, seed: store.seed)
    }

    private static func identity(of body: [UInt8]) -> UInt64 {
        let receipt = RequestBody(body)?.receiptData ?? []
        return Hash.sha256(receipt.isEmpty ? body : receipt).prefix(8)
            .reduce(0) { $0 << 8 | UInt64($1) }
    }
}
