internal import Synchronization

/// Counts the progress of a run and sends it to the observer, at most five times a second.
final class RunMeter: Sendable {
    private struct State {
        var progress: RunEvent.Progress
        var reportedAt: ContinuousClock.Instant
        var firstBeganAt: ContinuousClock.Instant?
        var lastEndedAt: ContinuousClock.Instant?
    }

    private static let interval = Duration.milliseconds(200)

    private let state: Mutex<State>
    private let startedAt = ContinuousClock.now
    private let observe: @Sendable (RunEvent) -> Void

    init(_ plan: OpenedRun.Plan, observe: @escaping @Sendable (RunEvent) -> Void) {
        self.observe = observe
        let progress = RunEvent.Progress(
            receiptsDone: 0, receiptsInScope: plan.receipts, findings: 0, requestsSent: 0,
            inFlight: 0, elapsed: .zero)
        state = Mutex(State(progress: progress, reportedAt: startedAt))
    }

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

    func pace(_ waits: WaitTally.Waits, limit: Int) -> RequestRate? {
        let state = state.withLock { $0 }
        guard let first = state.firstBeganAt, let last = state.lastEndedAt else { return nil }
        return RequestRate(
            requests: state.progress.requestsSent, forTokens: waits.forTokens,
            forAnswers: waits.forAnswers, limit: limit, elapsed: first.duration(to: last))
    }

    func answered(_ result: QuestionResult) {
        update { $0.progress.requestsSent += result.requests.sent }
    }

    func judged(_ user: JudgedUser) {
        update { state in
            state.progress.receiptsDone += user.receipts.inScope
            state.progress.findings += user.findings.count
        }
        for difference in user.statusAgreement.differing {
            observe(.differs(difference, for: user.user))
        }
    }

    func recorded(_ rows: RowsWithoutUser) {
        update { $0.progress.receiptsDone += rows.receipts }
    }

    private func update(_ change: (inout State) -> Void) {
        let now = ContinuousClock.now
        let news = state.withLock { state -> RunEvent.Progress? in
            change(&state)
            state.progress.elapsed = startedAt.duration(to: now)
            guard state.reportedAt.duration(to: now) >= Self.interval else { return nil }
            state.reportedAt = now
            return state.progress
        }
        if let news { observe(.progressed(news)) }
    }
}
