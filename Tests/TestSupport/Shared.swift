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
