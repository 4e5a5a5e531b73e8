internal import Synchronization

/// The batches that this process has leased, and what answers for them are not recorded yet.
final class LeasedBatches: Sendable {
    private struct State {
        var batches: [Int: Batch] = [:]
        var pending: [Int: [RecordedAnswer]] = [:]
        var pendingCount = 0
        var pendingBytes = 0
        var oldest: ContinuousClock.Instant?
    }

    /// SPEC §8 allows 500 answers and 2 s: what a flush takes comes on top of these.
    private static let mostAnswers = 300
    private static let longest = Duration.milliseconds(700)
    /// Memory: a body has 16 MiB at most, and a usual one a few KiB.
    private static let mostBytes = 8 << 20

    private let state = Mutex(State())

    var numbers: [Int] { state.withLock { Array($0.batches.keys) } }

    var all: [Batch] { state.withLock { Array($0.batches.values) } }

    func add(_ batch: Batch) { state.withLock { $0.batches[batch.number] = batch } }

    /// Whether `batch` is held under its lease still.
    func holds(_ batch: Batch) -> Bool {
        state.withLock { $0.batches[batch.number]?.lease == batch.lease }
    }

    /// Adds an answer; true when so many wait that they must be recorded now.
    func note(_ answer: RecordedAnswer, of batch: Batch) -> Bool {
        let now = ContinuousClock.now
        return state.withLock { state in
            guard state.batches[batch.number]?.lease == batch.lease else { return false }
            state.pending[batch.number, default: []].append(answer)
            state.pendingCount += 1
            state.pendingBytes += answer.body?.bytes.count ?? 0
            if state.oldest == nil { state.oldest = now }
            return state.pendingCount >= Self.mostAnswers || state.pendingBytes >= Self.mostBytes
        }
    }

    /// Whether the oldest answer waits so long that it must be recorded now.
    func isDue(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.oldest.map { $0.duration(to: now) >= Self.longest } ?? false }
    }

    /// All batches, and all answers that wait; these are the caller's from now on.
    func takeAll() -> (batches: [Batch], answers: [Int: [RecordedAnswer]]) {
        state.withLock { state in
            defer {
                (state.pending, state.pendingCount, state.pendingBytes) = ([:], 0, 0)
                state.oldest = nil
            }
            return (Array(state.batches.values), state.pending)
        }
    }

    /// The answers of one batch that wait; these are the caller's from now on.
    func take(_ batch: Batch) -> [RecordedAnswer] {
        state.withLock { state in
            let answers = state.pending.removeValue(forKey: batch.number) ?? []
            state.pendingCount -= answers.count
            for answer in answers { state.pendingBytes -= answer.body?.bytes.count ?? 0 }
            if state.pendingCount == 0 { state.oldest = nil }
            return answers
        }
    }

    /// Lets go of a batch that is done or lost, and of its answers.
    func remove(_ batch: Batch) {
        _ = take(batch)
        state.withLock { state in
            guard state.batches[batch.number]?.lease == batch.lease else { return }
            state.batches[batch.number] = nil
        }
    }
}
