import Dispatch
import Synchronization

final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    var current: Value { value.withLock { $0 } }

    @discardableResult
    func update(_ change: (inout Value) -> Void) -> Value {
        value.withLock { value in
            change(&value)
            return value
        }
    }
}

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

/// A fixed number of places, handed out in the order in which they were asked for.
actor Places {
    /// For tests with a database: their processes and connections share the machine's cores.
    static let shared = Places(12)

    /// Whether the task has a place already: a second one could never become free.
    @TaskLocal private static var isOccupied = false

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    nonisolated func occupied<T>(_ body: () async throws -> T) async throws -> T {
        guard !Self.isOccupied else { return try await body() }
        await take()
        return try await finally {
            try await Self.$isOccupied.withValue(true) { try await body() }
        } end: {
            await leave()
        }
    }

    private func take() async {
        free -= 1
        if free < 0 { await withCheckedContinuation { waiting.append($0) } }
    }

    private func leave() {
        free += 1
        if !waiting.isEmpty { waiting.removeFirst().resume() }
    }
}

/// Awaits `body`, and `end` afterwards, even if `body` throws.
func finally<T>(
    _ body: () async throws -> T, end: () async throws -> Void
) async throws -> T {
    let outcome: Result<T, any Error>
    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    try await end()
    return try outcome.get()
}
