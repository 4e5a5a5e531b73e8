internal import CPostgres
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Asks the server to cancel a connection's current statement. Callable from any thread.
///
/// A request names the use of the connection that it is meant for, so that a late one cannot cancel
/// the next user's statement. A statement also does not end before a pending request has: a request
/// that arrives later finds an idle session, which ignores it. If a request itself gets no answer,
/// the connection is closed.
final class PostgresCanceller: Sendable {
    private struct State {
        /// Address of libpq's `PGcancel`, which any thread may use.
        var handle: UInt = 0
        /// The number of the current use of the connection.
        var use = 0
        var isRunning = false
        var isLong = false
        var isRequested = false
        var socket = Socket(-1)
        var startedAt: ContinuousClock.Instant?
    }

    /// Time-out of a cancel request, which uses a connection of its own.
    private static let patience = DispatchTimeInterval.seconds(5)

    private let state = Mutex(State())
    private let requests = DispatchQueue(label: "postgres-cancel")

    deinit { PQfreeCancel(OpaquePointer(bitPattern: state.withLock { $0.handle })) }

    func attach(to connection: OpaquePointer) {
        let handle = UInt(bitPattern: PQgetCancel(connection))
        let socket = Socket(PQsocket(connection))
        state.withLock { ($0.handle, $0.socket) = (handle, socket) }
    }

    /// Closes the connection when its statement got no answer for `patience`, or for `longPatience`
    /// if it may take long.
    func endIfSilent(
        for patience: Duration, longFor longPatience: Duration, at now: ContinuousClock.Instant
    ) {
        // A canceller holds the lock, for up to five seconds, and closes the connection itself.
        state.withLockIfAvailable { state in
            guard state.isRunning, let startedAt = state.startedAt,
                startedAt.duration(to: now) > (state.isLong ? longPatience : patience)
            else { return }
            state.socket.shutDown()
        }
    }

    /// Begins the next use of the connection; returns its number.
    func beginUse() -> Int {
        state.withLock {
            $0.use += 1
            $0.isRequested = false
            return $0.use
        }
    }

    /// Cancels the current statement of a use and refuses later ones. Blocks for a round trip.
    ///
    /// True when a statement was running. The server ignores a request that arrives before the
    /// statement, so call it again until it returns false.
    func cancel(use: Int) -> Bool {
        state.withLock { state in
            guard state.use == use else { return false }
            state.isRequested = true
            if state.isRunning { send(state) }
            return state.isRunning
        }
    }

    /// Cancels the current statement from the connection's own thread.
    func cancelNow() {
        state.withLock { send($0) }
    }

    /// Marks the beginning of a statement. False when the use was cancelled.
    func begin(isLong: Bool = false) -> Bool {
        state.withLock {
            $0.isRunning = !$0.isRequested
            $0.isLong = isLong
            $0.startedAt = .now
            return $0.isRunning
        }
    }

    /// Marks that the rest of a stream is being discarded, which the silence limit also covers.
    func beginDraining() {
        state.withLock { state in
            state.isRunning = true
            state.isLong = false
            state.startedAt = .now
        }
    }

    func end() {
        state.withLock { $0.isRunning = false }
    }

    /// Sends on another thread, because libpq blocks until the server has taken the request, which
    /// may be forever.
    private func send(_ state: State) {
        let isDone = DispatchSemaphore(value: 0)
        // The closure retains `self`, and so the handle, while libpq uses it.
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

extension PostgresConnection {
    /// Runs `operation`, which uses this connection. When the task is cancelled, cancels the
    /// statement, and the operation throws SQLSTATE 57014.
    nonisolated func cancellable<T: Sendable>(
        _ operation: () async throws -> T
    ) async throws -> T {
        let use = canceller.beginUse()
        return try await withTaskCancellationHandler {
            try await operation()
        } onCancel: {
            Self.cancel(use, of: canceller)
        }
    }

    /// Cancels on another thread, because it blocks, and repeats until the statement has ended.
    private static func cancel(_ use: Int, of canceller: PostgresCanceller) {
        DispatchQueue.global().async {
            guard canceller.cancel(use: use) else { return }
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) {
                cancel(use, of: canceller)
            }
        }
    }
}

/// A connection's socket. libpq closes it on errors, and its number may then belong to another
/// file.
private struct Socket {
    private let descriptor: Int32
    private let identity: [UInt64]

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        identity = Self.identity(of: descriptor)
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
