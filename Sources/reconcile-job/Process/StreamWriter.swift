internal import Dispatch
internal import Synchronization

/// Writes to a stream on a thread of its own, so that a reader that does not read stops neither
/// the workers of a run nor the thread that waits for signals.
final class StreamWriter: Sendable {
    static let output = StreamWriter(StandardStream.output.rawValue)
    static let error = StreamWriter(StandardStream.error.rawValue)

    enum Result: Equatable {
        case written
        /// With its `errno`.
        case failed(Int32)
        /// The reader did not read in time.
        case unread
    }

    private struct State {
        var waiting: [UInt8] = []
        var isWriting = false
        var lost = 0
        var failure: Int32?
        /// Whether a flush waited in vain, and nothing was written since.
        var isStuck = false
    }

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "stream")
    private let state = Mutex(State())

    /// As much as may wait for its reader: some thousands of lines.
    private static let mostWaitingBytes = 1 << 20

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Returns at once. What has no room while the reader does not read is lost.
    func write(_ bytes: [UInt8]) {
        let begins = state.withLock { state in
            guard
                state.waiting.isEmpty || state.waiting.count + bytes.count <= Self.mostWaitingBytes
            else {
                state.lost += 1
                return false
            }
            state.waiting += bytes
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { queue.async { self.writeWaiting() } }
    }

    func write(_ bytes: [UInt8], within patience: Duration) -> Result {
        write(bytes)
        guard flush(within: patience) else { return .unread }
        return state.withLock(\.failure).map { .failed($0) } ?? .written
    }

    /// Waits for the reader as long as it takes, unless the current task is cancelled: then it
    /// returns `unread`.
    func writeUnlessCancelled(_ bytes: [UInt8]) -> Result {
        write(bytes)
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        while done.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
            if Task.isCancelled { return .unread }
        }
        return state.withLock(\.failure).map { .failed($0) } ?? .written
    }

    /// Whether to wait for the reader would be in vain, as the last time.
    var isStuck: Bool { state.withLock(\.isStuck) }

    /// Waits until everything is written. Returns false when that takes longer than `patience`.
    func flush(within patience: Duration) -> Bool {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        let milliseconds = Int(patience / .milliseconds(1))
        let isDone = done.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
        if !isDone { state.withLock { $0.isStuck = $0.isWriting } }
        return isDone
    }

    /// How many writes were lost since the last call.
    func takeLost() -> Int {
        state.withLock { state in
            defer { state.lost = 0 }
            return state.lost
        }
    }

    private func writeWaiting() {
        while let bytes = next() {
            guard let code = StandardStream.write(bytes, to: descriptor) else { continue }
            state.withLock { $0.failure = code }
        }
    }

    private func next() -> [UInt8]? {
        state.withLock { state in
            state.isStuck = false
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
