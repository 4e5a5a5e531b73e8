extension UserJudging {
    /// Whether every answer's signature is checked, not only those that findings are based on.
    private var looksAtAll: Bool {
        evidence == .all || keepsReceipts == .all || run.replayOf != nil
    }

    /// Judges a user and checks the signatures of the answers. If a signature contradicts an answer
    /// that a finding is based on, the user is judged again: the contradiction is a finding too.
    func judgement(
        _ user: UserID, _ stored: StoredUser, _ answers: inout UserAnswers
    ) -> Judgement {
        proveUnanswered(of: stored, in: &answers)
        let isLookedAt = looksAtAll || stored.history.hasContradictedAnswer
        if isLookedAt { checkSignatures(of: answers.perReceipt.indices, in: &answers) }
        let judgement = judge(user, stored, answers)
        guard !isLookedAt else { return judgement }
        let named = Set(judgement.findings.compactMap(\.receipt))
        let indices = stored.receipts.indices.filter { named.contains(stored.receipts[$0].id) }
        checkSignatures(of: indices, in: &answers)
        let isContradicted = indices.contains {
            answers.perReceipt[$0].signature.map { !$0.contradictions.isEmpty } ?? false
        }
        return isContradicted ? judge(user, stored, answers) : judgement
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

    /// `stored` with what earlier runs judged the user by; nil where they had no purchase that
    /// still runs.
    func remembering(
        _ stored: StoredUser, in database: Database
    ) async throws(DatabaseError) -> StoredUser? {
        // Without a digest no earlier run kept a record.
        guard !run.makesHistory || stored.history.recordDigest != nil else { return nil }
        let known = try await database.pastPurchases.purchases(
            of: stored.user, before: run.past, asOf: run.asOf)
        var remembering = stored
        remembering.history.runningPurchases = judge.running(known)
        return remembering.history.runningPurchases.isEmpty ? nil : remembering
    }

    private func judge(
        _ user: UserID, _ stored: StoredUser, _ answers: UserAnswers
    ) -> Judgement {
        judge.judgement(of: Self.evidence(of: user, stored, answers), history: stored.history)
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

    /// The newest receipt per app and environment that Apple signed in its answers.
    func freshReceipts(
        of user: UserID, _ stored: StoredUser, _ answers: UserAnswers, named: Set<ReceiptID>
    ) -> [KeptReceipt] {
        guard keepsReceipts != .none, source.transport != nil, !run.isTrial else {
            return []
        }
        var newest: [KeptReceipt] = []
        for (receipt, report) in zip(stored.receipts, answers.perReceipt)
        where keepsReceipts == .all || named.contains(receipt.id) {
            guard case .verified(let answer) = report.validation, let signed = report.signature,
                signed.isSigned, let fresh = signed.fresh
            else { continue }
            let kept = KeptReceipt(
                user: user, bundle: answer.bundle, environment: answer.environment,
                receipt: receipt.id, madeAt: fresh.madeAt, bytes: fresh.bytes)
            let other = newest.firstIndex {
                $0.bundle == kept.bundle && $0.environment == kept.environment
            }
            guard let other else {
                newest.append(kept)
                continue
            }
            if newest[other].madeAt < kept.madeAt { newest[other] = kept }
        }
        return newest
    }
}
