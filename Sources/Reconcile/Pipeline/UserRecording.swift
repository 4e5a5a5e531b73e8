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
        judged.units = judgement.units
        judged.unknownProducts = judgement.unknownProducts
        judged.undecided = judgement.undecided
        judged.sourceAgreement = judgement.sourceAgreement
        judged.statusAgreement = judgement.statusAgreement
        judged.sweptTransactions = judgement.sweptTransactions
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
        judged.oldestVerifiedAt = stored.receipts.indices.lazy.compactMap { index in
            let report = answers.report(ofReceiptAt: index)
            return report.validation.isVerified ? report.attempts.answeredAt : nil
        }.min()
        return judged
    }

    /// Adds each receipt's digest, by which a receipt stored for several users is found.
    private func digestReceipts(
        of stored: StoredUser, _ answers: UserAnswers, _ judged: inout JudgedUser
    ) {
        judged.receiptSightings = judged.receiptSightings.compactMap { sighting in
            guard let index = stored.receipts.firstIndex(where: { $0.id == sighting.receipt }),
                let digest = stored.digest(ofReceiptAt: index, answers)
            else { return nil }
            var sighting = sighting
            sighting.digest = digest.bytes
            return sighting
        }
    }

    private func outcomes(
        of stored: StoredUser, _ answers: UserAnswers, _ entitlementsAffected: Int
    ) -> [Outcome] {
        var invalid = AttemptSummary()
        invalid.detail = run.detailOfInvalidReceipts
        return stored.receipts.indices.map { index in
            let receipt = stored.receipts[index]
            let report = answers.report(ofReceiptAt: index)
            let question = answers.decidingQuestion(ofReceiptAt: index)
            return Outcome(
                receipt: receipt.id, user: receipt.user, bundle: receipt.bundle,
                validation: report.validation,
                source: question.map { answers.asked[$0].question.source },
                attempts: report.attempts, entitlementsAffected: entitlementsAffected)
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
        let named = Set(judged.findings.compactMap(\.finding.question))
        var digests = [Digest?](repeating: nil, count: answers.asked.count)
        judged.evidence = keptAnswers(named, of: answers, &digests)
        func digest(_ question: Int) -> Digest? {
            if let known = digests[question] { return known }
            digests[question] = answers.asked[question].report.body.map { Digest.sha256($0.bytes) }
            return digests[question]
        }
        for index in judged.findings.indices {
            guard let question = judged.findings[index].finding.question else { continue }
            judged.findings[index].finding.evidenceSHA256 = digest(question)?.hexadecimal
            judged.findings[index].finding.evidenceSigned =
                answers.asked[question].report.signature?.isSigned
        }
        judged.keptReceipts = freshReceipts(of: stored, answers, named)
        // Only `--evidence all` hashes every answer anyway. Otherwise a grant gets no digest: which
        // subscriptions are shared is known only at the end of the run.
        for index in judged.purchases.indices where evidence == .all {
            guard let question = judged.purchases[index].grant?.question else { continue }
            judged.purchases[index].grant?.evidenceDigest = digest(question)?.bytes
        }
    }

    /// The answers that `--evidence` keeps.
    /// - Parameters:
    ///   - named: the questions whose answers findings are based on.
    ///   - digests: gets those of their bodies, so that none is hashed twice.
    private func keptAnswers(
        _ named: Set<Int>, of answers: UserAnswers, _ digests: inout [Digest?]
    ) -> [KeptAnswer] {
        guard evidence == .all || evidence == .findings && !named.isEmpty,
            let live
        else { return [] }
        var keptAnswers: [KeptAnswer] = []
        for (number, answered) in answers.asked.enumerated() {
            let isNamed = named.contains(number) && answered.report.body != nil
            guard evidence == .all || isNamed,
                let kept = live.kept(
                    answered.report, to: answered.question, of: answered.receipt)
            else { continue }
            keptAnswers.append(kept)
            digests[number] = kept.bodyDigest.flatMap(Digest.init)
        }
        return keptAnswers
    }

    /// The newest receipt per app and environment that Apple signed in its answers.
    private func freshReceipts(
        of stored: StoredUser, _ answers: UserAnswers, _ named: Set<Int>
    ) -> [KeptReceipt] {
        guard keepsReceipts != .none, run.asksApple, !run.isTrial else { return [] }
        var newest: [KeptReceipt] = []
        for (index, receipt) in stored.receipts.enumerated() {
            guard let question = answers.question(aboutReceiptAt: index),
                keepsReceipts == .all || named.contains(question)
            else { continue }
            let report = answers.asked[question].report
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
