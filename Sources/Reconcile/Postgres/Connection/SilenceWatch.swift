internal import Dispatch
internal import Synchronization

/// Ends connections whose statement has had no answer for too long: the way to the server may
/// acknowledge everything and answer nothing, without breaking. On a queue of its own, since tasks
/// may all be waiting for such an answer.
final class SilenceWatch: Sendable {
    private struct Watched: Sendable {
        weak var canceller: PostgresCanceller?
    }

    private struct State {
        var limit: Duration
        var watched: [Watched] = []
    }

    /// A statement that reads or writes a whole view or run may take so many times longer.
    private static let longFactor = 20

    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "postgres-silence")

    /// - Parameter limit: how long a statement may go without an answer; longer than the wait for a
    ///   lock (`prepare_session`).
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

    /// A tenth of the limit, for the precision, and at most a second.
    private func lookLater() {
        let limit = state.withLock { $0.limit }
        let milliseconds = Int(min(max(limit / 10, .milliseconds(10)), .seconds(1)).inMilliseconds)
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
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
