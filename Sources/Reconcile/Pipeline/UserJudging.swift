/// Judges one user by what the receipts came to, beside what earlier runs left.
struct UserJudging: Sendable {
    let database: Database
    let judge: Judge
    let run: Run
    let evidence: Evidence
    /// What earlier runs saw cancelled.
    let cancelled: CancellationFilter

    /// - Parameter history: what earlier runs left of the users of the batch.
    func judge(
        _ stored: StoredUser, _ answers: UserAnswers, history: BatchHistory
    ) async throws -> JudgedUser {
        var judged = JudgedUser(user: stored.user)
        judged.requests = stored.firstLook?.requests ?? RequestRecord()
        judged.requests += answers.requests
        if let user = stored.user {
            try await judge(user, stored, answers, history, &judged)
        }
        judged.entitlements.inScope += stored.invalidEntitlements.count
        judged.entitlements.notJudged += stored.invalidEntitlements.count
        judged.outcomes = outcomes(of: stored, answers, judged.entitlements.unverified)
        judged.receipts = ReceiptTally(judged.outcomes)
        judged.oldestVerifiedAt = answers.perReceipt.compactMap { report in
            report.validation.isVerified ? report.attempts.answeredAt : nil
        }.min()
        if !run.isNight { judged.leaveNoTrace() }
        return judged
    }

    private func judge(
        _ user: UserID, _ stored: StoredUser, _ answers: UserAnswers, _ past: BatchHistory,
        _ judged: inout JudgedUser
    ) async throws {
        let evidence = Self.evidence(of: user, stored, answers)
        var history = past.history(of: user)
        history.elsewhere = try await cancellationsElsewhere(in: answers)
        let judgement = judge.judgement(of: evidence, history: history)
        var comparison = HistoryComparison(past, judge: judge)
        judged.findings = comparison.reported(judgement, of: user)
        judged.entitlements = judgement.entitlements
        judged.subscriptions = judgement.subscriptions
        judged.unknownProducts = judgement.unknownProducts
        judged.undecided = judgement.undecided
        let missing = comparison.missing(of: user)
        if !missing.isEmpty {
            comparison.settle(
                try await database.ledger.lastReports(of: missing), evidence: evidence,
                history: history,
                unreadableRows: Set(stored.invalidEntitlements.compactMap(\.id)))
        }
        judged.cleared = comparison.cleared
        judged.changes = comparison.changes
        judged.cancellations = comparison.cancellations
        keepEvidence(of: stored, answers, &judged)
    }

    /// A refund may be taken back when the receipt is another user's by now. Hardly a transaction
    /// is one that earlier runs saw cancelled, so hardly anything is looked up.
    private func cancellationsElsewhere(
        in answers: UserAnswers
    ) async throws -> [TransactionID: Cancellation] {
        var transactions: Set<TransactionID> = []
        for report in answers.perReceipt {
            guard case .verified(let receipt) = report.validation else { continue }
            for transaction in receipt.transactions where cancelled.mayContain(transaction.id) {
                transactions.insert(transaction.id)
            }
        }
        guard !transactions.isEmpty else { return [:] }
        let seen = try await database.ledger.cancellations(of: transactions, before: run.past)
        return Dictionary(seen.map { ($0.transaction, $0) }, uniquingKeysWith: { $1 })
    }

    private static func evidence(
        of user: UserID, _ stored: StoredUser, _ answers: UserAnswers
    ) -> UserEvidence {
        UserEvidence(
            user: user,
            receipts: zip(stored.receipts, answers.perReceipt).map { receipt, report in
                ReceiptEvidence(
                    id: receipt.id, bundle: receipt.bundle, storedAt: receipt.storedAt,
                    validation: report.validation, contradictions: report.contradictions,
                    signedKinds: report.signedKinds)
            },
            invalidReceipts: stored.invalidReceipts.count, entitlements: stored.entitlements,
            invalidEntitlements: stored.invalidEntitlements.count)
    }

    private func outcomes(
        of stored: StoredUser, _ answers: UserAnswers, _ entitlementsAffected: Int
    ) -> [Outcome] {
        var invalid = AttemptSummary()
        // It stands in `unverified`, whose every line says so.
        if run.isOffline { invalid.detail = "judged offline" }
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

// What is kept of Apple's answers.
extension UserJudging {
    /// Gives each finding the digest of the answer that it comes of, and picks the answers that
    /// `--evidence` keeps.
    private func keepEvidence(
        of stored: StoredUser, _ answers: UserAnswers, _ judged: inout JudgedUser
    ) {
        let named = Set(judged.findings.compactMap(\.finding.receipt))
        var digests: [ReceiptID: Digest] = [:]
        func digest(_ receipt: ReceiptID) -> Digest? {
            if let known = digests[receipt] { return known }
            guard let place = stored.receipts.firstIndex(where: { $0.id == receipt }),
                let body = answers.perReceipt[place].body
            else { return nil }
            let digest = Digest.sha256(body.bytes)
            digests[receipt] = digest
            return digest
        }
        for place in judged.findings.indices {
            guard let receipt = judged.findings[place].finding.receipt else { continue }
            judged.findings[place].finding.evidenceSHA256 = digest(receipt)?.hexadecimal
        }
        // Whether others show the subscription is known at the end only, so that the answer would
        // have to be hashed for nearly everybody: only where it is kept, it is hashed anyway.
        for place in judged.subscriptions.indices where evidence == .all {
            guard let receipt = judged.subscriptions[place].grant?.receipt else { continue }
            judged.subscriptions[place].grant?.evidenceDigest = digest(receipt)?.bytes
        }
        guard evidence != .none, run.replayOf == nil, !run.isOffline else { return }
        // Of identical receipts each may be the one that a finding names.
        let placesNamed = Set(
            zip(stored.receipts, answers.places).compactMap { receipt, place in
                named.contains(receipt.id) ? place : nil
            })
        for (place, (asked, report)) in answers.requested.enumerated() {
            let isNamed = placesNamed.contains(place) && report.body != nil
            guard evidence == .all || isNamed,
                let kept = report.kept(for: asked.request, of: asked.receipt)
            else { continue }
            judged.evidence.append(kept)
        }
    }
}

extension ReportedFinding {
    /// SPEC §9: the id is the first 32 hexadecimal digits of SHA-256 over the fingerprint.
    init(identifying finding: Finding, judgedAt asOf: Instant) {
        let digest = Digest.sha256(finding.fingerprint).hexadecimal
        self.init(id: String(digest.prefix(32)), finding: finding, firstSeen: asOf)
    }
}

extension Validation {
    var isVerified: Bool {
        if case .verified = self { return true }
        return false
    }
}
