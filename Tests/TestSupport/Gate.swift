import Dispatch

/// Blocks the threads of a loopback server until it is opened, for good.
final class Gate: Sendable {
    private let turnstile = DispatchSemaphore(value: 0)

    func wait() {
        turnstile.wait()
        turnstile.signal()
    }

    func open() { turnstile.signal() }

    /// Runs `operation` for a thread that may be blocked, such as a script's. An error of it is
    /// ignored: of two operations that end each other's sessions, one fails.
    static func blocking(_ operation: @escaping @Sendable () async throws -> Void) {
        let gate = Gate()
        Task {
            defer { gate.open() }
            try await operation()
        }
        gate.wait()
    }
}
