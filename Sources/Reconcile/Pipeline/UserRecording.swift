/// What a run records of a judged user: outcomes, findings with their history, kept evidence.
struct UserRecording: Sendable {
    let run: Run
    let evidence: Evidence
    let keepsReceipts: Evidence
    /// Reads the answers that are kept; nil for a source that sends no requests.
    let live: (any LiveSource)?

    /// Whether more is kept than what findings are based on.
    var needsEverySignature: Bool { evidence == .all || keepsReceipts == .all }

    /// - Parameter answers: with the checks of their signatures.
    func judged(
        _ stored: StoredUser, _ answers: UserAnswers, _ judgement: Judgement
    ) -> JudgedUser {
        let history = stored.history
        var judged = JudgedUser(user: stored.user)
        judged.requests = answers.requests
        judged.findings = history.reported(judgement.findings, judgedAt: run.asOf)
        judged.entitlements = judgement.entitlements
        judged.notReported = judgement.notReported
        judged.remembered = judgement.remembered.filter { history.entries[$0.identity.id] == nil }
        judged.unjudged = judgement.unjudged
        judged.purchases = judgement.purchases
        judged.receiptSightings = judgement.receipts
        judged.unknownProducts = judgement.unknownProducts
        judged.undecided = judgement.undecided
        let record = JudgedRecord(judgement.rights, receipts: stored.receipts.map(\.id))
        if record.digest != history.recordDigest { judged.record = record }
        keepEvidence(of: stored, answers, &judged)
        digestReceipts(of: stored, answers, &judged)
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
        judged.keptReceipts = freshReceipts(of: stored, answers, named: named)
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
            let live
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
                let kept = live.kept(report, to: asked.question, of: asked.receipt)
            else { continue }
            keptAnswers.append(kept)
            byQuestion[question] = kept.bodyDigest.flatMap(Digest.init)
        }
        for (receipt, question) in zip(stored.receipts, answers.questionIndices) {
            digests[receipt.id] = question.flatMap { byQuestion[$0] }
        }
        return keptAnswers
    }

    /// The newest receipt per app and environment that Apple signed in its answers.
    private func freshReceipts(
        of stored: StoredUser, _ answers: UserAnswers, named: Set<ReceiptID>
    ) -> [KeptReceipt] {
        guard keepsReceipts != .none, run.asksApple, !run.isTrial else { return [] }
        var newest: [KeptReceipt] = []
        for (receipt, report) in zip(stored.receipts, answers.perReceipt)
        where keepsReceipts == .all || named.contains(receipt.id) {
            guard case .verified(let answer) = report.validation, let signed = report.signature,
                signed.isSigned, let fresh = signed.fresh
            else { continue }
            let kept = KeptReceipt(
                user: stored.user, bundle: answer.bundle, environment: answer.environment,
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

extension Validation {
    var isVerified: Bool {
        if case .verified = self { return true }
        return false
    }
}
