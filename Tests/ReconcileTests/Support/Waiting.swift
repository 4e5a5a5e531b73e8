import Testing

@testable import TestSupport

/// Gives `task` many chances to end, and expects that it still waits.
func expectWaiting<T: Sendable>(
    _ task: Task<T, any Error>, sourceLocation: SourceLocation = #_sourceLocation
) async {
    let hasEnded = Shared(false)
    let watcher = Task {
        _ = await task.result
        hasEnded.update { $0 = true }
    }
    for _ in 0..<200 { await Task.yield() }
    #expect(!hasEnded.current, sourceLocation: sourceLocation)
    _ = watcher
}
