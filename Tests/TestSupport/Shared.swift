import Dispatch
import Synchronization
internal import Testing

@testable import Reconcile

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

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs. The time that it waits for its turn among the others counts as well,
    /// so only a hang may meet the limit, even on a slow machine.
    static var hangLimit: TimeLimitTrait { .timeLimit(.minutes(60)) }
}

/// At most twelve tests with a database run at a time: their processes and connections share the
/// machine's cores.
enum ConcurrencyLimit {
    private static let free = Semaphore(permits: 12)

    /// Whether the task has a permit already: waiting for a second one could last forever.
    @TaskLocal private static var hasPermit = false

    static func respected<T>(_ body: () async throws -> T) async throws -> T {
        guard !hasPermit else { return try await body() }
        try await free.wait()
        defer { free.signal() }
        return try await $hasPermit.withValue(true) { try await body() }
    }
}
