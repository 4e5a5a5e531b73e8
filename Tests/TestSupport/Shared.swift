import Synchronization

/// A value that the tasks of one test change together.
final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    var current: Value { value.withLock { $0 } }

    /// Returns the new value.
    @discardableResult
    func update(_ change: (inout Value) -> Void) -> Value {
        value.withLock { value in
            change(&value)
            return value
        }
    }
}
