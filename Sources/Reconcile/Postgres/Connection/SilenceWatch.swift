internal import Dispatch
internal import Synchronization

/// Closes connections whose statement got no answer for too long. A network path may acknowledge
/// packets and never deliver an answer, without breaking. Runs on its own queue, because all tasks
/// may be waiting for such an answer.
final class SilenceWatch: Sendable {
    private struct Watched: Sendable {
        weak var canceller: PostgresCanceller?
    }

    private struct State {
        var limit: Duration
        var watched: [Watched] = []
    }

    /// Factor for statements that read or write a whole view or run.
    private static let longFactor = 20

    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "postgres-silence")

    /// - Parameter limit: how long a statement may go without an answer; must exceed the lock
    ///   time-out (`prepare_session`).
    init(limit: Duration = .seconds(60)) { state = Mutex(State(limit: limit)) }

    func set(limit: Duration) { state.withLock { $0.limit = limit } }

    func watch(_ canceller: PostgresCanceller) {
        let isFirst = state.withLock { state in
            state.watched.removeAll { $0.canceller == nil }
            state.watched.append(Watched(canceller: canceller))
            return state.watched.count == 1
        }
        if isFirst { lookLater() }
    }

    /// Checks after a tenth of the limit, for precision, and at least every second.
    private func lookLater() {
        let limit = state.withLock { $0.limit }
        let wait = min(max(limit / 10, .milliseconds(10)), .seconds(1)) / .milliseconds(1)
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(wait))) { [weak self] in
            self?.look()
        }
    }

    private func look() {
        let (limit, watched) = state.withLock { state in
            state.watched.removeAll { $0.canceller == nil }
            return (state.limit, state.watched)
        }
        let now = ContinuousClock.now
        for canceller in watched.compactMap(\.canceller) {
            canceller.endIfSilent(for: limit, longFor: limit * Self.longFactor, at: now)
        }
        if !watched.isEmpty { lookLater() }
    }
}
