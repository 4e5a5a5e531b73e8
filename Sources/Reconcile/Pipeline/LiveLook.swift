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
        let stored = try await database.batches.user(user)
        var inquiry = try await asking.inquiry(about: stored)
        // One after the other: a single user needs no concurrency.
        try await asking.answer(&inquiry, atMost: 1) { [asking] asked in
            try await asking.look(at: asked.question, of: asked.receipt)
        }
        var answers = inquiry.concluded { refusal, asked in
            switch asking.origin(of: asked.question) {
            case .altered: refusal.rejected(for: .signature)
            case .apple: refusal.doubted(.refusalContradictsSignature)
            case .unproven: refusal.doubted(.refusalUnconfirmed)
            }
        }
        let judgement = try await UserJudging(judge, asking, past: .all)
            .judgement(of: stored, &answers, in: database)
        return CustomerFile.Live(
            at: now, rights: judgement.rights,
            findings: stored.history.reported(
                judgement.findings, judgedAt: judge.settings.asOf),
            receipts: stored.receipts.indices.flatMap { index in
                answers.reports(ofReceiptAt: index).map {
                    Self.checked(stored.receipts[index], $0)
                }
            })
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
