internal import Synchronization

/// Counts failed requests by reason, for the error message of a run that got no answer at all.
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

    /// The message of the most frequent reason, with what to do about it. Nil without failures.
    var mostFrequent: String? {
        // The message breaks ties: dictionaries have no order.
        counts.withLock { $0.values.max { ($0.failures, $0.words) < ($1.failures, $1.words) } }?
            .words
    }
}
