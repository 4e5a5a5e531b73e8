/// Judges one user by the validated receipts, the stored rows and the history of earlier runs.
struct UserJudging: Sendable {
    private let judge: Judge
    private let source: any AppleSource
    private let proof: LocalProof
    private let past: PastRuns
    /// Whether every answer's signature is checked, not only those that findings are based on.
    private let checksEverySignature: Bool

    init(_ judge: Judge, _ asking: Asking, past: PastRuns, checksEverySignature: Bool = false) {
        self.judge = judge
        source = asking.source
        proof = asking.localProof
        self.past = past
        self.checksEverySignature = checksEverySignature || asking.source.checksEverySignature
    }

    /// Judges a user; where a row is accused of a right of which nothing is shown, again with the
    /// purchases that earlier runs saw.
    /// - Parameter answers: get the checks of their signatures.
    func judgement(
        of stored: StoredUser, _ answers: inout UserAnswers, in database: Database
    ) async throws(DatabaseError) -> Judgement {
        let unchecked = answers
        let first = judgement(of: stored, &answers)
        guard first.mayForgetPurchase,
            let remembering = try await remembering(stored, in: database)
        else { return first }
        answers = unchecked
        return judgement(of: remembering, &answers)
    }

    /// Judges a user and checks the signatures of the answers. If a signature contradicts an answer
    /// that a finding is based on, the user is judged again: the contradiction is a finding too.
    private func judgement(of stored: StoredUser, _ answers: inout UserAnswers) -> Judgement {
        proveUnanswered(of: stored, in: &answers)
        let isLookedAt = checksEverySignature || stored.history.hasContradictedAnswer
        if isLookedAt { checkSignatures(of: answers.perReceipt.indices, in: &answers) }
        let judgement = judge(stored, answers)
        guard !isLookedAt else { return judgement }
        let named = Set(judgement.findings.compactMap(\.receipt))
        let indices = stored.receipts.indices.filter { named.contains(stored.receipts[$0].id) }
        checkSignatures(of: indices, in: &answers)
        let isContradicted = indices.contains {
            answers.perReceipt[$0].signature.map { !$0.contradictions.isEmpty } ?? false
        }
        return isContradicted ? judge(stored, answers) : judgement
    }

    private func judge(_ stored: StoredUser, _ answers: UserAnswers) -> Judgement {
        judge.judgement(of: Self.evidence(of: stored, answers), history: stored.history)
    }

    /// `stored` with what earlier runs judged the user by; nil where they had no purchase that
    /// still runs.
    private func remembering(
        _ stored: StoredUser, in database: Database
    ) async throws(DatabaseError) -> StoredUser? {
        // Without a digest no earlier run kept a record.
        guard !past.comparesRecords || stored.history.recordDigest != nil else { return nil }
        let known = try await database.pastPurchases.purchases(
            of: stored.user, in: past, asOf: judge.settings.asOf)
        var remembering = stored
        remembering.history.runningPurchases = judge.running(known)
        return remembering.history.runningPurchases.isEmpty ? nil : remembering
    }

    /// Leaves of the purchases that answers lack those that still run, by a receipt that Apple
    /// signed. Hardly any receipt has one, so that hardly any signature is checked.
    private func proveUnanswered(of stored: StoredUser, in answers: inout UserAnswers) {
        for index in answers.perReceipt.indices {
            guard !answers.perReceipt[index].unanswered.isEmpty else { continue }
            let report = answers.perReceipt[index]
            answers.perReceipt[index].unanswered = []
            guard case .verified(let answer) = report.validation,
                let question = answers.question(ofReceiptAt: index)
            else { continue }
            let missing = judge.missing(report.unanswered, in: answer)
            if !missing.isEmpty,
                proof.isApples(question.receipt, for: stored.receipts[index].bundle)
            {
                answers.perReceipt[index].unanswered = missing
            }
        }
    }

    private func checkSignatures(of indices: some Sequence<Int>, in answers: inout UserAnswers) {
        for index in indices {
            guard case .verified(let answer) = answers.perReceipt[index].validation,
                let body = answers.perReceipt[index].body,
                let found = source.signature(on: body, sayingThat: answer)
            else { continue }
            answers.perReceipt[index].signature = found
        }
    }

    private static func evidence(
        of stored: StoredUser, _ answers: UserAnswers
    ) -> UserEvidence {
        var evidence = UserEvidence(
            user: stored.user,
            receipts: zip(stored.receipts, answers.perReceipt).map { receipt, report in
                ReceiptEvidence(
                    id: receipt.id, bundle: receipt.bundle, storedAt: receipt.storedAt,
                    validation: report.validation, proof: report.proof,
                    contradictions: report.contradictions,
                    answerContradictions: report.signature?.contradictions ?? [],
                    unanswered: report.unanswered, signedKinds: report.signedKinds)
            },
            invalidReceipts: stored.invalidReceipts.count, entitlements: stored.entitlements,
            invalidEntitlements: stored.invalidEntitlements.count,
            unreadableEntitlements: Set(stored.invalidEntitlements.compactMap(\.id)))
        evidence.downloadKeys = stored.downloadKeys
        evidence.isUnclaimed = stored.isUnclaimed(answers)
        return evidence
    }
}
