/// Judges one user by the validated receipts, the stored rows and the history of earlier runs.
struct UserJudging: Sendable {
    let judge: Judge
    let run: Run
    let evidence: Evidence
    let keepsReceipts: Evidence
    let source: any AppleSource
    let proof: LocalProof

    func judge(_ stored: StoredUser, _ answers: UserAnswers) -> JudgedUser {
        var judged = JudgedUser(user: stored.user)
        judged.requests = answers.requests
        judge(stored.user, stored, answers, &judged)
        judged.entitlements.add(stored.invalidEntitlements.count, to: .notJudged)
        judged.notReported += stored.invalidEntitlements.map { row in
            NotReported(entitlement: row.id, bucket: .notJudged, cause: .invalidRow)
        }
        judged.outcomes = outcomes(of: stored, answers, judged.entitlements[.unverified])
        judged.receipts = Tally(judged.outcomes)
        judged.oldestVerifiedAt = answers.perReceipt.compactMap { report in
            report.validation.isVerified ? report.attempts.answeredAt : nil
        }.min()
        return judged
    }

    private func judge(
        _ user: UserID, _ stored: StoredUser, _ answers: UserAnswers,
        _ judged: inout JudgedUser
    ) {
        let history = stored.history
        var answers = answers
        let judgement = judgement(user, stored, &answers)
        judged.findings = history.reported(judgement.findings, judgedAt: judge.settings.asOf)
        judged.entitlements = judgement.entitlements
        judged.notReported = judgement.notReported
        judged.remembered = judgement.remembered.filter { history.entries[$0.identity.id] == nil }
        judged.unjudged = judgement.unjudged
        judged.purchases = judgement.purchases
        judged.receiptSightings = judgement.receipts
        judged.unknownProducts = judgement.unknownProducts
        judged.undecided = judgement.undecided
        judged.mayForgetPurchase = judgement.mayForgetPurchase
        let record = JudgedRecord(judgement.rights, receipts: stored.receipts.map(\.id))
        if record.digest != history.recordDigest { judged.record = record }
        keepEvidence(of: stored, answers, &judged)
        digestReceipts(of: stored, answers, &judged)
    }

    /// Adds each receipt's digest, by which a receipt stored for several users is found.
    private func digestReceipts(
        of stored: StoredUser, _ answers: UserAnswers, _ judged: inout JudgedUser
    ) {
        judged.receiptSightings = judged.receiptSightings.compactMap { sighting in
            guard let index = stored.receipts.firstIndex(where: { $0.id == sighting.receipt }),
                let question = answers.question(ofReceiptAt: index)
            else { return nil }
            var sighting = sighting
            sighting.digest = question.receiptDigest.bytes
            return sighting
        }
    }

    static func evidence(
        of user: UserID, _ stored: StoredUser, _ answers: UserAnswers
    ) -> UserEvidence {
        var evidence = UserEvidence(
            user: user,
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

    private func outcomes(
        of stored: StoredUser, _ answers: UserAnswers, _ entitlementsAffected: Int
    ) -> [Outcome] {
        var invalid = AttemptSummary()
        invalid.detail = run.detailOfInvalidReceipts
        return zip(stored.receipts, answers.perReceipt).map { receipt, report in
            Outcome(
                receipt: receipt.id, user: receipt.user, bundle: receipt.bundle,
                validation: report.validation, attempts: report.attempts,
                entitlementsAffected: entitlementsAffected)
        }
            + stored.invalidReceipts.map { receipt in
                Outcome(
                    receipt: receipt.id, user: receipt.user, bundle: receipt.bundle,
                    validation: .unusable(.storedRowInvalid), attempts: invalid,
                    entitlementsAffected: entitlementsAffected)
            }
    }
}

extension UserJudging {
    /// Keeps the answers that `--evidence` selects, and sets the digest of the answer that each
    /// finding is based on.
    private func keepEvidence(
        of stored: StoredUser, _ answers: UserAnswers, _ judged: inout JudgedUser
    ) {
        let named = Set(judged.findings.compactMap(\.finding.receipt))
        var digests: [ReceiptID: Digest] = [:]
        judged.evidence = keptAnswers(about: named, of: stored, answers, &digests)
        func digest(_ receipt: ReceiptID) -> Digest? {
            if let known = digests[receipt] { return known }
            guard let index = stored.receipts.firstIndex(where: { $0.id == receipt }),
                let body = answers.perReceipt[index].body
            else { return nil }
            let digest = Digest.sha256(body.bytes)
            digests[receipt] = digest
            return digest
        }
        for index in judged.findings.indices {
            guard let receipt = judged.findings[index].finding.receipt else { continue }
            judged.findings[index].finding.evidenceSHA256 = digest(receipt)?.hexadecimal
            judged.findings[index].finding.evidenceSigned =
                stored.receipts.firstIndex { $0.id == receipt }
                .flatMap { answers.perReceipt[$0].signature?.isSigned }
        }
        judged.keptReceipts = freshReceipts(of: stored.user, stored, answers, named: named)
        // Only `--evidence all` hashes every answer anyway. Otherwise a grant gets no digest: which
        // subscriptions are shared is known only at the end of the run.
        for index in judged.purchases.indices where evidence == .all {
            guard let receipt = judged.purchases[index].grant?.receipt else { continue }
            judged.purchases[index].grant?.evidenceDigest = digest(receipt)?.bytes
        }
    }

    /// The answers that `--evidence` keeps.
    /// - Parameter digests: gets those of their bodies, so that none is hashed twice.
    private func keptAnswers(
        about named: Set<ReceiptID>, of stored: StoredUser, _ answers: UserAnswers,
        _ digests: inout [ReceiptID: Digest]
    ) -> [KeptAnswer] {
        guard evidence == .all || evidence == .findings && !named.isEmpty,
            source.transport != nil
        else { return [] }
        // A finding may name any of several identical receipts, which share one request.
        let questionsNamed = Set(
            zip(stored.receipts, answers.questionIndices).compactMap { receipt, question in
                named.contains(receipt.id) ? question : nil
            })
        var keptAnswers: [KeptAnswer] = []
        var byQuestion: [Int: Digest] = [:]
        for (question, (asked, report)) in answers.asked.enumerated() {
            let isNamed = questionsNamed.contains(question) && report.body != nil
            guard evidence == .all || isNamed,
                let kept = source.kept(report, to: asked.question, of: asked.receipt)
            else { continue }
            keptAnswers.append(kept)
            byQuestion[question] = kept.bodyDigest.flatMap(Digest.init)
        }
        for (receipt, question) in zip(stored.receipts, answers.questionIndices) {
            digests[receipt.id] = question.flatMap { byQuestion[$0] }
        }
        return keptAnswers
    }
}

extension Validation {
    var isVerified: Bool {
        if case .verified = self { return true }
        return false
    }
}
