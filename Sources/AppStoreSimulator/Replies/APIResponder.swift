internal import Glibc
internal import Synchronization

/// Chooses between the simulated App Store Server API, its faults, and a test's script.
final class APIResponder: Sendable {
    private struct State {
        var attempts: [UInt64: Int] = [:]
        var requests: [SimulatedAPIRequest] = []
    }

    private let store: SimulatedStore
    private let api: SimulatedServerAPI
    private let settings: AppStoreSimulator.Settings
    private let latency: Latency
    private let startedAt = ContinuousClock.now
    private let count = Atomic<Int>(0)
    private let state = Mutex(State())

    init(store: SimulatedStore, settings: AppStoreSimulator.Settings) {
        self.store = store
        api = SimulatedServerAPI(store: store)
        self.settings = settings
        latency = Latency(settings.latency, seed: store.seed)
    }

    var requests: Int { count.load(ordering: .relaxed) }

    /// In order of arrival; empty unless the settings keep requests.
    var keptRequests: [SimulatedAPIRequest] { state.withLock(\.requests) }

    func reply(to request: HTTPRequest, at environment: SimulatedEnvironment) -> [ReplyStep] {
        let number = count.add(1, ordering: .relaxed).newValue
        let identity = Self.identity(of: request, at: environment)
        let asked = asked(request, identity, at: environment)
        if let steps = settings.apiScript?(asked) { return steps }
        let answer = api.answer(
            request.method, request.path, body: request.body,
            authorization: request.authorization, at: environment, seconds: Self.seconds)
        let elapsed = startedAt.duration(to: .now)
        var occasion = FaultRule.Occasion(
            environment: environment, receipt: identity, mark: nil, attempt: asked.attempt,
            milliseconds: Int(elapsed / .milliseconds(1)))
        occasion.isOfServerAPI = true
        occasion.customer = answer.customer
        let steps = settings.faults.steps(for: occasion, reply: answer.reply, seed: store.seed)
        return latency.steps(before: number)
            + (steps ?? [.send(answer.reply.packed(for: request).bytes)])
    }

    /// Counts the attempt.
    private func asked(
        _ request: HTTPRequest, _ identity: UInt64, at environment: SimulatedEnvironment
    ) -> SimulatedAPIRequest {
        state.withLock { state in
            var attempt = 1
            if settings.keepsRequests || !settings.faults.rules.isEmpty {
                attempt = state.attempts[identity, default: 0] + 1
                state.attempts[identity] = attempt
            }
            let asked = SimulatedAPIRequest(
                environment: environment, method: request.method, target: request.path,
                authorization: request.authorization, body: request.body, attempt: attempt)
            if settings.keepsRequests { state.requests.append(asked) }
            return asked
        }
    }

    /// The same for each attempt: tokens change.
    private static func identity(
        of request: HTTPRequest, at environment: SimulatedEnvironment
    ) -> UInt64 {
        let words = "\(environment) \(request.method) \(request.path) "
        return Hash.sha256(Array(words.utf8) + request.body).prefix(8)
            .reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static var seconds: Int64 { Int64(time(nil)) }
}
