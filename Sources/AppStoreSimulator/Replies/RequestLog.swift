internal import Synchronization

final class RequestLog: Sendable {
    private struct State {
        var requests: [SimulatedRequest] = []
        var departures: [SimulatedEnvironment: Int] = [:]
        var waiters: [Waiter] = []
    }

    private struct Waiter {
        let isOver: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private let state = Mutex(State())

    var requests: [SimulatedRequest] { state.withLock { $0.requests } }

    func add(_ request: SimulatedRequest) { update { $0.requests.append(request) } }

    func addDeparture(from environment: SimulatedEnvironment) {
        update { $0.departures[environment, default: 0] += 1 }
    }

    func arrival(of count: Int, at environment: SimulatedEnvironment) async {
        await wait { state in
            state.requests.count { $0.environment == environment } >= count
        }
    }

    func departure(of count: Int, from environment: SimulatedEnvironment) async {
        await wait { $0.departures[environment, default: 0] >= count }
    }

    private func wait(until isOver: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            update { $0.waiters.append(Waiter(isOver: isOver, continuation: continuation)) }
        }
    }

    private func update(_ change: (inout State) -> Void) {
        let ready = state.withLock { state in
            change(&state)
            let ready = state.waiters.filter { $0.isOver(state) }
            if !ready.isEmpty {
                let now = state
                state.waiters.removeAll { $0.isOver(now) }
            }
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
    }
}
