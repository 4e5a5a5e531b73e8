/// Requests Apple's current answers for one user's receipts and judges them, for `explain --live`.
/// Takes tokens from the rate limit that all workers share. Writes nothing.
package struct LiveLook: Sendable {
    private let database: Database
    private let asking: Asking
    private let judge: Judge

    package init(_ database: Database, _ asking: Asking, _ judge: Judge) {
        self.database = database
        self.asking = asking
        self.judge = judge
    }

    /// Judges `user` at the judge's instant by the stored rows and Apple's answers at `now`.
    /// Without a second look, which could confirm a refusal, a refused receipt is `unverified`,
    /// unless its own signature shows that it was changed.
    package func look(at user: UserID, now: Instant) async throws -> CustomerFile.Live {
        // A placeholder that the readers and the judge require. It is never stored.
        let run = Run(
            id: RunID(startedAt: now, suffix: 0), asOf: judge.settings.asOf,
            scope: .selected(users: [user], receipts: []))
        let batch = Batch(number: 1, users: ClosedUserRange(first: user, last: user))
        guard
            let portion = try await database.batches.portion(
                of: batch, after: nil, excluding: [], in: run)
        else {
            throw DatabaseError(
                .viewsLocked("The views cannot be read: another session locks a table below them"),
                statement: "lock_views")
        }
        let stored = portion.users.first { $0.user == user } ?? StoredUser(user: user)
        var answers = try await answers(about: stored)
        let judging = UserJudging(
            judge: judge, run: run, evidence: .none, keepsReceipts: .none,
            source: asking.source, proof: asking.localProof)
        var judgement = judging.judgement(user, stored, &answers)
        if judgement.mayForgetPurchase,
            let remembering = try await judging.remembering(stored, in: database)
        {
            judgement = judging.judgement(user, remembering, &answers)
        }
        return CustomerFile.Live(
            at: now, rights: judgement.rights,
            findings: stored.history.reported(judgement.findings, judgedAt: run.asOf),
            receipts: zip(stored.receipts, answers.perReceipt).map(Self.checked))
    }

    /// Sends the requests one after the other: a single user needs no concurrency.
    private func answers(about user: StoredUser) async throws -> UserAnswers {
        guard !user.isTooLarge else {
            return Inquiry(about: user.receipts, leftFor: .userTooLarge)
                .concluded { refusal, _ in refusal.confirmed }
        }
        var inquiry = try await asking.source.inquiry(about: user.receipts, of: user.user)
        try await asking.source.recall(&inquiry, of: user.user)
        try await asking.answer(&inquiry, atMost: 1) { [asking] asked in
            try await asking.look(at: asked.question, of: asked.receipt)
        }
        return inquiry.concluded { refusal, asked in
            switch asking.origin(of: asked.question) {
            case .altered: refusal.rejected(for: .signature)
            case .apple: refusal.doubted(.refusalContradictsSignature)
            case .unproven: refusal.doubted(.refusalUnconfirmed)
            }
        }
    }

    private static func checked(
        _ receipt: StoredReceipt, _ report: ValidationReport
    ) -> CustomerFile.CheckedReceipt {
        CustomerFile.CheckedReceipt(
            id: receipt.id, bundle: receipt.bundle, outcome: report.validation.outcome,
            cause: report.validation.cause, server: report.attempts.server,
            answeredAt: report.attempts.answeredAt, lastStatus: report.attempts.lastStatus,
            detail: report.attempts.detail)
    }
}
