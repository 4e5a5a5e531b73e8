/// Answered batches that wait to be recorded, because Apple refused a receipt of theirs and the
/// answers to come may show that it refuses everybody's (SPEC §2.7).
///
/// What is held is bounded by the thousand answers that settle a refusal.
struct HeldBatches: Sendable {
    let validator: AppStoreValidator
    private var batches: [OpenBatch] = []

    init(validator: AppStoreValidator) { self.validator = validator }

    /// Takes in `batch`, and gives back those that need not wait any longer, reviewed.
    mutating func release(andTakeIn batch: OpenBatch) async -> [OpenBatch] {
        var ready: [OpenBatch] = []
        var waiting: [OpenBatch] = []
        for batch in batches + [batch] {
            if await isSettled(batch) { ready.append(batch) } else { waiting.append(batch) }
        }
        batches = waiting
        for batch in ready { await review(batch) }
        return ready
    }

    /// Gives back all of them, reviewed: there will be no more answers.
    mutating func releaseAll() async -> [OpenBatch] {
        for batch in batches { await review(batch) }
        defer { batches = [] }
        return batches
    }

    private func isSettled(_ batch: OpenBatch) async -> Bool {
        for (_, report) in batch.refusals where await !validator.isSettled(report) { return false }
        return true
    }

    private func review(_ batch: OpenBatch) async {
        for (place, report) in batch.refusals {
            _ = batch.note(await validator.reviewed(report), at: place)
        }
    }
}
