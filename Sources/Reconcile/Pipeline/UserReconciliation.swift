/// A batch whose receipts are all answered, judged user by user: a straight line from answers and
/// rows to what is recorded.
struct UserReconciliation {
    let judge: Judge
    let open: OpenBatch
    let entitlements: BatchEntitlements
    /// Users of whom a receipt was stored after the batch was read.
    let usersWithUnreadReceipts: Set<UserID>

    func record() -> BatchRecord {
        let (reports, requests) = open.conclusions()
        var record = BatchRecord(batch: open.batch)
        record.requests = requests
        var affected: [UserID: Int] = [:]
        for evidence in evidenceByUser(reports) {
            let judgement = judge.judgement(of: evidence)
            record.entitlements += judgement.entitlements
            record.findings += judgement.findings.map { identified($0) }
            affected[evidence.user] = judgement.entitlements.unverified
        }
        record.entitlements.inScope += entitlements.invalid.count
        record.entitlements.notJudged += entitlements.invalid.count
        record.outcomes = outcomes(reports, affected)
        record.receipts = ReceiptTally(record.outcomes)
        record.oldestVerifiedAt = zip(open.entries, reports).compactMap { _, report in
            report.validation.isVerified ? report.attempts.answeredAt : nil
        }.min()
        return record
    }

    private func evidenceByUser(_ reports: [ValidationReport]) -> [UserEvidence] {
        var users: [UserID: UserEvidence] = [:]
        func update(_ user: UserID, _ change: (inout UserEvidence) -> Void) {
            change(
                &users[
                    user,
                    default: UserEvidence(
                        user: user, receipts: [],
                        hasUnreadReceipts: usersWithUnreadReceipts.contains(user),
                        entitlements: [])])
        }
        for (entry, report) in zip(open.entries, reports) {
            update(entry.user) {
                $0.receipts.append(
                    ReceiptEvidence(
                        id: entry.id, bundle: entry.bundle, storedAt: entry.storedAt,
                        validation: report.validation,
                        evidenceSHA256: report.attempts.evidenceSHA256,
                        contradictions: report.contradictions))
            }
        }
        for user in open.invalid.compactMap(\.user) { update(user) { $0.invalidReceipts += 1 } }
        for row in entitlements.valid { update(row.user) { $0.entitlements.append(row) } }
        return Array(users.values)
    }

    private func outcomes(
        _ reports: [ValidationReport], _ affected: [UserID: Int]
    ) -> [Outcome] {
        zip(open.entries, reports).map { entry, report in
            Outcome(
                receipt: entry.id, user: entry.user, bundle: entry.bundle,
                validation: report.validation, attempts: report.attempts,
                entitlementsAffected: affected[entry.user] ?? 0)
        }
            + open.invalid.map { row in
                Outcome(
                    receipt: row.id, user: row.user, bundle: row.bundle,
                    validation: .unusable(.storedRowInvalid),
                    entitlementsAffected: row.user.flatMap { affected[$0] } ?? 0)
            }
    }

    /// SPEC §9: the first 32 hexadecimal digits of SHA-256 over the length-prefixed parts.
    private func identified(_ finding: Finding) -> ReportedFinding {
        let digest = Digest.sha256(finding.fingerprint).hexadecimal
        return ReportedFinding(
            id: String(digest.prefix(32)), finding: finding, firstSeen: judge.settings.asOf)
    }
}

extension Validation {
    var isVerified: Bool {
        if case .verified = self { return true }
        return false
    }
}

extension ReceiptTally {
    init(_ outcomes: [Outcome]) {
        self.init()
        inScope = outcomes.count
        for outcome in outcomes {
            switch outcome.validation {
            case .verified: verified += 1
            case .rejected: rejected += 1
            case .unusable: unusable += 1
            case .unverified: unverified += 1
            }
        }
    }
}
