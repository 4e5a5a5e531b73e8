/// A batch whose receipts are all answered, judged user by user: a straight line from answers,
/// rows and history to what is recorded.
struct UserReconciliation {
    private let judge: Judge
    private let open: OpenBatch
    private let entitlements: BatchEntitlements
    private let reports: [ValidationReport]
    private let requests: RequestTally
    private let evidence: [UserEvidence]

    /// - Parameter usersWithUnreadReceipts: of whom a receipt was stored after the batch was read.
    init(
        judge: Judge, open: OpenBatch, entitlements: BatchEntitlements,
        usersWithUnreadReceipts: Set<UserID>
    ) {
        (self.judge, self.open, self.entitlements) = (judge, open, entitlements)
        (reports, requests) = open.conclusions()
        evidence = Self.evidence(open, reports, entitlements, usersWithUnreadReceipts)
    }

    /// Everybody of whom something is stored.
    var users: [UserID] { evidence.map(\.user) }

    /// Transactions of tonight's answers that earlier runs may have seen cancelled, of anybody.
    func transactions(in filter: CancellationFilter) -> Set<TransactionID> {
        var transactions: Set<TransactionID> = []
        for report in reports {
            guard case .verified(let receipt) = report.validation else { continue }
            for transaction in receipt.transactions where filter.mayContain(transaction.id) {
                transactions.insert(transaction.id)
            }
        }
        return transactions
    }

    /// - Parameters:
    ///   - history: what earlier runs left of `users`.
    ///   - lastReports: looks open findings up that are not raised tonight.
    func record(
        after history: BatchHistory,
        lastReports: ([PastFinding]) async throws(DatabaseError) -> [ReportedFinding]
    ) async throws(DatabaseError) -> BatchRecord {
        var record = BatchRecord(batch: open.batch)
        record.requests = requests
        var affected: [UserID: Int] = [:]
        var comparison = HistoryComparison(history, judge: judge)
        for evidence in evidence {
            let judgement = judge.judgement(
                of: evidence, history: history.history(of: evidence.user))
            record.entitlements += judgement.entitlements
            record.findings += comparison.reported(judgement, of: evidence.user)
            record.subscriptions += judgement.subscriptions
            record.unknownProducts += judgement.unknownProducts
            if let undecided = judgement.undecided { record.undecided.append(undecided) }
            affected[evidence.user] = judgement.entitlements.unverified
        }
        record.citedQuestions = questions(citedBy: record.findings)
        record.unknownProducts = record.unknownProducts.combined
        let missing = try await lastReports(comparison.missing(of: users))
        comparison.settle(
            missing, evidence: evidence,
            unreadableRows: Set(entitlements.invalid.compactMap(\.id)))
        record.cleared = comparison.cleared
        (record.changes, record.cancellations) = (comparison.changes, comparison.cancellations)
        record.entitlements.inScope += entitlements.invalid.count
        record.entitlements.notJudged += entitlements.invalid.count
        record.outcomes = outcomes(affected)
        record.receipts = ReceiptTally(record.outcomes)
        record.oldestVerifiedAt = zip(open.entries, reports).compactMap { _, report in
            report.validation.isVerified ? report.attempts.answeredAt : nil
        }.min()
        return record
    }

    private func questions(citedBy findings: [ReportedFinding]) -> [ReceiptID: [UInt8]] {
        let cited = Set(findings.compactMap(\.finding.receipt))
        guard !cited.isEmpty else { return [:] }
        var questions: [ReceiptID: [UInt8]] = [:]
        for (place, entry) in open.entries.enumerated() where cited.contains(entry.id) {
            questions[entry.id] = reports[place].question
        }
        return questions
    }

    private static func evidence(
        _ open: OpenBatch, _ reports: [ValidationReport], _ entitlements: BatchEntitlements,
        _ usersWithUnreadReceipts: Set<UserID>
    ) -> [UserEvidence] {
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
                        contradictions: report.contradictions,
                        signedKinds: report.signedKinds))
            }
        }
        for user in open.invalid.compactMap(\.user) { update(user) { $0.invalidReceipts += 1 } }
        for row in entitlements.valid { update(row.user) { $0.entitlements.append(row) } }
        for user in entitlements.invalid.compactMap(\.user) {
            update(user) { $0.invalidEntitlements += 1 }
        }
        return Array(users.values)
    }

    private func outcomes(_ affected: [UserID: Int]) -> [Outcome] {
        var unread = AttemptSummary()
        // It stands in `unverified`, whose every line says so.
        if judge.settings.isOffline { unread.detail = "judged offline" }
        return zip(open.entries, reports).map { entry, report in
            Outcome(
                receipt: entry.id, user: entry.user, bundle: entry.bundle,
                validation: report.validation,
                attempts: report.validation == .unverified(.batchSetAside)
                    ? unread : report.attempts,
                entitlementsAffected: affected[entry.user] ?? 0, question: report.question)
        }
            + open.invalid.map { row in
                Outcome(
                    receipt: row.id, user: row.user, bundle: row.bundle,
                    validation: .unusable(.storedRowInvalid), attempts: unread,
                    entitlementsAffected: row.user.flatMap { affected[$0] } ?? 0)
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
