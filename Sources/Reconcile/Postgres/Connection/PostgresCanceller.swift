internal import CPostgres
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Asks the server to give up the statement that a connection waits for. Any thread may.
///
/// A request names the turn it is meant for, so that one that comes late cannot hit the next user
/// of the connection; and a statement is not over before a request under way is: what arrives
/// after that meets an idle session, which ignores it. A request that gets no answer itself ends
/// the connection.
final class PostgresCanceller: Sendable {
    private struct State {
        /// The address of libpq's `PGcancel`, which is made to be used by any thread.
        var handle: UInt = 0
        var turn = 0
        var isRunning = false
        var isLong = false
        var isRequested = false
        var socket = Socket(-1)
        var startedAt: ContinuousClock.Instant?
    }

    /// How long a request, a connection of its own, may take.
    private static let patience = DispatchTimeInterval.seconds(5)

    private let state = Mutex(State())
    private let requests = DispatchQueue(label: "postgres-cancel")

    deinit { PQfreeCancel(OpaquePointer(bitPattern: state.withLock { $0.handle })) }

    func attach(to connection: OpaquePointer) {
        let handle = UInt(bitPattern: PQgetCancel(connection))
        let socket = Socket(PQsocket(connection))
        state.withLock { ($0.handle, $0.socket) = (handle, socket) }
    }

    /// Ends the connection when what runs on it has had no answer for `patience`.
    /// - Parameter longPatience: for a statement that may take long.
    func endIfSilent(
        for patience: Duration, longFor longPatience: Duration, at now: ContinuousClock.Instant
    ) {
        // Somebody who cancels holds the lock, for up to five seconds, and ends it himself.
        state.withLockIfAvailable { state in
            guard state.isRunning, let startedAt = state.startedAt,
                startedAt.duration(to: now) > (state.isLong ? longPatience : patience)
            else { return }
            state.socket.shutDown()
        }
    }

    /// Begins another user's turn; requests for earlier ones no longer count.
    func nextTurn() -> Int {
        state.withLock {
            $0.turn += 1
            $0.isRequested = false
            return $0.turn
        }
    }

    /// Gives up what runs in `turn`, and refuses what it has not begun. Blocks for a round trip.
    ///
    /// True when a statement was running. The server ignores a request that overtakes the
    /// statement, so ask again until it is false.
    func cancel(turn: Int) -> Bool {
        state.withLock { state in
            guard state.turn == turn else { return false }
            state.isRequested = true
            if state.isRunning { send(state) }
            return state.isRunning
        }
    }

    /// Gives up what runs, from the connection's own thread.
    func cancelNow() {
        state.withLock { send($0) }
    }

    /// False when the turn was cancelled before.
    /// - Parameter isLong: what begins may take long.
    func begin(isLong: Bool = false) -> Bool {
        state.withLock {
            $0.isRunning = !$0.isRequested
            $0.isLong = isLong
            $0.startedAt = .now
            return $0.isRunning
        }
    }

    /// What is left of a stream is thrown away; that may be ended when it is silent.
    func beginToDrain() {
        state.withLock { state in
            state.isRunning = true
            state.isLong = false
            state.startedAt = .now
        }
    }

    func end() {
        state.withLock { $0.isRunning = false }
    }

    /// libpq blocks until the server has taken the request, for ever if it must: so not in this
    /// thread.
    private func send(_ state: State) {
        let isDone = DispatchSemaphore(value: 0)
        // The queue holds on to `self`, and so to the handle, while libpq uses it.
        requests.async { [self] in
            request(state.handle)
            isDone.signal()
        }
        guard isDone.wait(timeout: .now() + Self.patience) == .timedOut else { return }
        state.socket.shutDown()
    }

    private func request(_ handle: UInt) {
        var reason = [CChar](repeating: 0, count: 256)
        _ = PQcancel(OpaquePointer(bitPattern: handle), &reason, Int32(reason.count))
    }
}

/// A connection's socket. libpq closes it when it finds it broken; its number may be anybody's by
/// then.
private struct Socket {
    private let descriptor: Int32
    private let identity: [UInt64]

    init(_ descriptor: Int32) {
        (self.descriptor, identity) = (descriptor, Self.identity(of: descriptor))
    }

    func shutDown() {
        guard !identity.isEmpty, Self.identity(of: descriptor) == identity else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private static func identity(of descriptor: Int32) -> [UInt64] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return [] }
        return [UInt64(status.st_dev), UInt64(status.st_ino)]
    }
}
