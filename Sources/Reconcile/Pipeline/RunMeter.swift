internal import Synchronization

/// Counts what a run has done and tells its observer, a few times a second at most.
final class RunMeter: Sendable {
    private struct State {
        var progress: RunProgress
        var reportedAt: ContinuousClock.Instant
        var receiptsPastDeadline = 0
        var firstBeganAt: ContinuousClock.Instant?
        var lastEndedAt: ContinuousClock.Instant?
    }

    private static let interval = Duration.milliseconds(200)

    private let state: Mutex<State>
    private let startedAt = ContinuousClock.now
    private let observe: @Sendable (RunEvent) -> Void

    init(_ plan: RunPlan, observe: @escaping @Sendable (RunEvent) -> Void) {
        self.observe = observe
        let progress = RunProgress(
            receiptsDone: 0, receiptsInScope: plan.receipts, findings: 0, requestsSent: 0,
            inFlight: 0, elapsed: .zero)
        state = Mutex(State(progress: progress, reportedAt: startedAt))
    }

    var receiptsPastDeadline: Int { state.withLock { $0.receiptsPastDeadline } }

    func began() {
        let now = ContinuousClock.now
        state.withLock { state in
            state.progress.inFlight += 1
            state.firstBeganAt = state.firstBeganAt ?? now
        }
    }

    func ended() {
        let now = ContinuousClock.now
        state.withLock { state in
            state.progress.inFlight -= 1
            state.lastEndedAt = now
        }
    }

    /// Nil when hardly anything was asked.
    func pace(_ waits: WaitTally.Waits, places: Int) -> RunPace? {
        let state = state.withLock { $0 }
        guard let first = state.firstBeganAt, let last = state.lastEndedAt else { return nil }
        return RunPace(
            requests: state.progress.requestsSent, forTokens: waits.forTokens,
            forAnswers: waits.forAnswers, places: places, elapsed: first.duration(to: last))
    }

    /// A receipt was left without an outcome when time ran out.
    func overran() { state.withLock { $0.receiptsPastDeadline += 1 } }

    /// A batch was opened, some of whose questions had been answered before.
    func found(_ unanswered: UnansweredBatch) {
        let known = unanswered.batch.questionCount - unanswered.questions.count
        if known > 0 { update { $0.progress.receiptsDone += known } }
    }

    func answered(_ requests: RequestTally) {
        update {
            $0.progress.receiptsDone += 1
            $0.progress.requestsSent += requests.sent
        }
    }

    /// - Parameter questions: how many of the batch's receipts `answered` has counted.
    func recorded(_ record: BatchRecord, questions: Int) {
        update {
            $0.progress.receiptsDone += record.receipts.inScope - questions
            $0.progress.findings += record.findings.count
        }
    }

    private func update(_ change: (inout State) -> Void) {
        let now = ContinuousClock.now
        let news = state.withLock { state -> RunProgress? in
            change(&state)
            state.progress.elapsed = startedAt.duration(to: now)
            guard state.reportedAt.duration(to: now) >= Self.interval else { return nil }
            state.reportedAt = now
            return state.progress
        }
        if let news { observe(.progressed(news)) }
    }
}
