/// Processes one user: asks Apple about each receipt, judges, and hands the result to the recorder.
/// Nothing is stored before that; then everything is stored together.
struct UserTask: Sendable {
    let database: Database
    let asking: Asking
    let textCheck: AnswerTextCheck
    let judging: UserJudging
    let recording: UserRecording
    let recorder: Recorder
    let meter: RunMeter
    let outageCheck: OutageCheck
    let settings: RunWorker.Settings
    let inFlight: Semaphore

    func look(at work: UserWork) async throws {
        let batch = work.batch
        guard recorder.isHeld(batch) else { return }
        if work.isFirstOfBatch { try await recorder.begin(batch) }
        // In a batch that was deferred, all others are recorded: nothing is waited for any more.
        let mayDefer = !batch.isDeferred
        var inquiry = try await asking.inquiry(
            about: work.user, skippedFor: work.isSetAside ? .batchSetAside : nil)
        let isHeld = mayDefer && holds(inquiry)
        if !isHeld { try await answer(&inquiry, ifStopped: mayDefer ? .deferred : .leave) }
        if isHeld || mayDefer && inquiry.hasLeftStoppedApp {
            await recorder.add(.deferred(inquiry.requests), of: batch)
        } else if inquiry.isRefused {
            let refused = RefusedUser(
                user: work.user.user, refusals: inquiry.refusals, requests: inquiry.requests)
            await recorder.add(.refused(refused), of: batch)
        } else {
            try await conclude(work.user, inquiry, in: batch)
        }
    }

    /// Judges a user and hands the result to the recorder. `resolve` reports on a refused receipt.
    func conclude(
        _ user: StoredUser, _ inquiry: Inquiry, in batch: Batch,
        resolve: (Refusal, Inquiry.Asked) -> ValidationReport = { refusal, _ in refusal.confirmed }
    ) async throws {
        var answers = try await textCheck.checked(inquiry.concluded(by: resolve))
        let judgement = try await judging.judgement(of: user, &answers, in: database)
        let judged = recording.judged(user, answers, judgement)
        await recorder.add(.judged(Reference(judged)), of: batch)
        meter.judged(judged)
    }

    // MARK: Asking

    /// Whether a question is about a stopped or paused app: its user is left for later.
    private func holds(_ inquiry: Inquiry) -> Bool {
        inquiry.hasOpenQuestions
            && inquiry.questions.contains { asking.apps.isHeld($0.question) }
    }

    /// Asks again about a user with refused receipts.
    func lookAgain(at user: StoredUser) async throws -> Inquiry {
        var inquiry = try await asking.inquiry(about: user)
        try await answer(&inquiry, ifStopped: .leave)
        return inquiry
    }

    /// Asks a server about a receipt that it verified before. Nil when it needs no request.
    func look(
        at receipt: StoredReceipt, verifiedBy server: AppleServer
    ) async throws -> QuestionResult? {
        // Of a customer what is asked depends on the user's other rows.
        let rows =
            server.source == .serverAPI
            ? try await database.batches.user(receipt.user).receipts : nil
        guard
            let asked = try await asking.question(about: receipt, among: rows, for: server)
        else { return nil }
        return try await look(at: asked, ifStopped: .leave)
    }

    /// A question that is open alone needs no task of its own: nearly every user has one receipt.
    private func answer(
        _ inquiry: inout Inquiry, ifStopped: AppPace.WhenStopped
    ) async throws {
        while let only = inquiry.takeOnly() {
            let result = try await look(at: inquiry.questions[only], ifStopped: ifStopped)
            inquiry.record(result, of: only)
            asking.source.revise(&inquiry, after: only)
        }
        guard inquiry.hasOpenQuestions else { return }
        try await asking.answer(&inquiry, atMost: settings.inFlight) { asked in
            try await look(at: asked, ifStopped: ifStopped)
        }
    }

    private func look(
        at asked: Inquiry.Asked, ifStopped: AppPace.WhenStopped
    ) async throws -> QuestionResult {
        if !inFlight.tryTake() { try await inFlight.wait() }
        meter.began()
        defer {
            meter.ended()
            inFlight.signal()
        }
        let connections = asking.connectionsMade
        let result = try await asking.look(
            at: asked.question, of: asked.receipt, before: settings.deadline,
            ifStopped: ifStopped)
        if result.isLeftByOutage { try await outageCheck.requireOutage() }
        if result.isWithoutAnswer, asking.connectionsMade == connections {
            try await outageCheck.requireAlone()
        }
        meter.answered(result)
        return result
    }
}

extension QuestionResult {
    /// Whether the receipt has no answer because the circuit breaker of this worker gave up.
    fileprivate var isLeftByOutage: Bool {
        guard case .concluded(let report) = self, case .unverified(.outage) = report.validation
        else { return false }
        return true
    }

    /// Whether every request about the receipt failed.
    fileprivate var isWithoutAnswer: Bool {
        guard case .concluded(let report) = self, case .unverified(let cause) = report.validation
        else { return false }
        return cause == .connectionFailed || cause == .timeout
    }
}

struct UserWork: Sendable {
    let user: StoredUser
    let batch: Batch
    let isFirstOfBatch: Bool
    /// Whether the batch is skipped because too many attempts failed: no request is sent.
    let isSetAside: Bool
    let share: MemoryShare
}

/// A portion's share of the memory for receipt data, returned when its last user is done.
final class MemoryShare: Sendable {
    /// Portions of the usual size that may be in memory, with users not judged yet.
    static let all = 8

    private let budget: Semaphore
    private let permits: Int

    /// - Parameter permits: the number already taken from `budget`.
    private init(of budget: Semaphore, permits: Int) {
        self.budget = budget
        self.permits = permits
    }

    /// Takes the portion's permits; waits while earlier portions use too much memory.
    static func taken(for portion: BatchPortion, of budget: Semaphore) async throws -> MemoryShare {
        let bytes = portion.users.reduce(0) { sum, user in
            user.receipts.reduce(sum) { $0 + $1.data.text.count }
        }
        let permits = min(all, 1 + bytes / BatchReader.portionBytes)
        for _ in 0..<permits { try await budget.wait() }
        return MemoryShare(of: budget, permits: permits)
    }

    deinit { budget.signal(permits) }
}
