internal import Synchronization

/// Why calls brought no answer: what is said of a night in which none did.
final class FailureTally: Sendable {
    private struct Count {
        var failures = 0
        let words: String
    }

    private let counts = Mutex<[HTTPError.Reason: Count]>([:])

    func note(_ error: HTTPError) {
        counts.withLock {
            $0[error.reason, default: Count(words: error.description)].failures += 1
        }
    }

    /// What most of them were, and what to do about it; nil while there was none.
    var foremost: String? {
        // Of equal numbers always the same.
        counts.withLock { $0.values.max { ($0.failures, $0.words) < ($1.failures, $1.words) } }?
            .words
    }
}
