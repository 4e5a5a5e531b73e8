internal import Synchronization

/// The batches that this process has leased, and what answers for them are not recorded yet.
final class LeasedBatches: Sendable {
    private struct State {
        var batches: [Int: Batch] = [:]
        var pending: [Int: [RecordedAnswer]] = [:]
        var pendingCount = 0
        var pendingBytes = 0
        var oldest: ContinuousClock.Instant?
        /// The batches whose answers `takeAll` gave out last, until they are written.
        var beingWritten: Set<Int> = []
        /// The batches that are being recorded, whose leases nobody need renew any more.
        var beingRecorded: Set<Int> = []
        /// Somebody has been told to record what waits, and has not taken it yet.
        var isFlushing = false

        func holds(_ batch: Batch) -> Bool { batches[batch.number]?.lease == batch.lease }

        mutating func remove(_ batch: Batch) {
            guard holds(batch) else { return }
            _ = takePending(of: batch)
            batches[batch.number] = nil
            beingRecorded.remove(batch.number)
        }

        mutating func takePending(of batch: Batch) -> [RecordedAnswer] {
            let answers = pending.removeValue(forKey: batch.number) ?? []
            pendingCount -= answers.count
            for answer in answers { pendingBytes -= answer.body?.bytes.count ?? 0 }
            if pendingCount == 0 { oldest = nil }
            return answers
        }

        func has(_ answers: Int, or bytes: Int) -> Bool {
            pendingCount >= answers || pendingBytes >= bytes
        }
    }

    /// Whose leases are to be renewed: all but those of batches that are being recorded, or only
    /// those under which answers are written.
    enum Scope { case all, answered }

    /// Of these on, answers are recorded while others come.
    private static let usualAnswers = 150
    private static let usualBytes = 4 << 20
    /// SPEC §8 allows 500 answers and 2 s: what a flush takes comes on top of these.
    private static let mostAnswers = 300
    private static let longest = Duration.milliseconds(700)
    /// Memory: a body has 16 MiB at most, and a usual one a few KiB.
    private static let mostBytes = 8 << 20

    private let state = Mutex(State())

    var numbers: [Int] { state.withLock { Array($0.batches.keys) } }

    func add(_ batch: Batch) {
        state.withLock { state in
            state.batches[batch.number] = batch
            state.beingRecorded.remove(batch.number)
        }
    }

    /// Whether `batch` is held under its lease still.
    func holds(_ batch: Batch) -> Bool { state.withLock { $0.holds(batch) } }

    /// Adds an answer. True when the caller must have what waits recorded: the first who finds so
    /// many that it is time, and everybody when they are too many.
    func note(_ answer: RecordedAnswer, of batch: Batch) -> Bool {
        let now = ContinuousClock.now
        return state.withLock { state in
            guard state.holds(batch) else { return false }
            state.pending[batch.number, default: []].append(answer)
            state.pendingCount += 1
            state.pendingBytes += answer.body?.bytes.count ?? 0
            if state.oldest == nil { state.oldest = now }
            let isTime = state.has(Self.usualAnswers, or: Self.usualBytes)
            defer { state.isFlushing = state.isFlushing || isTime }
            return isTime && !state.isFlushing || state.has(Self.mostAnswers, or: Self.mostBytes)
        }
    }

    /// Whether so many answers wait that they are to be recorded, and nobody has taken them yet.
    var mustFlush: Bool { state.withLock { $0.isFlushing } }

    /// Whether the oldest answer waits so long that it must be recorded now.
    func isDue(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.oldest.map { $0.duration(to: now) >= Self.longest } ?? false }
    }

    /// The batches whose leases are to be renewed, and all answers that wait. They are the caller's
    /// from now on, who says when they are written.
    func takeAll(_ scope: Scope) -> (batches: [Batch], answers: [Int: [RecordedAnswer]]) {
        state.withLock { state in
            defer {
                (state.pending, state.pendingCount, state.pendingBytes) = ([:], 0, 0)
                (state.oldest, state.isFlushing) = (nil, false)
            }
            state.beingWritten = Set(state.pending.keys)
            let batches = state.batches.values.filter { batch in
                switch scope {
                case _ where state.beingWritten.contains(batch.number): true
                case .all: !state.beingRecorded.contains(batch.number)
                case .answered: false
                }
            }
            return (batches, state.pending)
        }
    }

    func haveBeenWritten() { state.withLock { $0.beingWritten = [] } }

    /// The answers of one batch that wait, for whoever records it; these are the caller's from now
    /// on. Nil while others of its answers are being written, which must not come after the batch;
    /// and when it is not held any more.
    func takeToRecord(_ batch: Batch) -> [RecordedAnswer]? {
        state.withLock { state in
            guard state.holds(batch), !state.beingWritten.contains(batch.number) else {
                return nil
            }
            state.beingRecorded.insert(batch.number)
            return state.takePending(of: batch)
        }
    }

    /// Lets go of a batch that is done or lost, and of its answers.
    func remove(_ batch: Batch) { state.withLock { $0.remove(batch) } }

    /// Lets go of a batch that another worker has. False when it was not held, or is recorded right
    /// now, by somebody who will find out.
    func lose(_ batch: Batch) -> Bool {
        state.withLock { state in
            guard state.holds(batch), !state.beingRecorded.contains(batch.number) else {
                return false
            }
            state.remove(batch)
            return true
        }
    }
}
