/// A customer's purchases and findings, in order of time.
struct ExplainTimeline: Sendable {
    struct Line: Hashable, Sendable {
        let at: Instant
        let what: String
        let transaction: TransactionID?
        /// SHA-256 of the source answer, in hexadecimal.
        let digest: String?
        /// Run id of a finding; empty for a purchase.
        var run = ""
    }

    let lines: [Line]

    init(_ file: CustomerFile) {
        var lines: Set<Line> = []
        var known: Set<TransactionID> = []
        for answer in file.answers {
            guard let receipt = answer.shows else { continue }
            for transaction in receipt.transactions
            where known.insert(transaction.id).inserted {
                lines.formUnion(Self.lines(of: transaction, answer.digest))
            }
            for renewal in receipt.renewals {
                lines.formUnion(Self.lines(of: renewal, answer))
            }
        }
        for apple in (file.rights ?? []).compactMap(\.apple)
        where !known.contains(apple.transaction) {
            lines.formUnion(Self.lines(of: apple))
        }
        lines.formUnion(Self.changes(file.changes))
        self.lines = lines.sorted { ($0.at, $0.run, $0.what) < ($1.at, $1.run, $1.what) }
    }

    private static func lines(of bought: Transaction, _ digest: String) -> [Line] {
        func line(_ at: Instant, _ what: String) -> Line {
            Line(at: at, what: what, transaction: bought.id, digest: digest)
        }
        var verb = bought.id == bought.originalID ? "bought" : "renewed"
        if bought.expiresAt == nil { verb = "bought" }
        var marks: [String] = []
        if bought.isTrial { marks.append("trial") }
        if bought.isIntroductoryOffer { marks.append("introductory price") }
        if bought.promotionalOffer != nil || bought.offerCode != nil { marks.append("offer") }
        if bought.isFamilyShared { marks.append("family-shared") }
        let end = bought.expiresAt.map { ", until \($0)" } ?? ""
        let suffix = marks.isEmpty ? "" : " (" + marks.joined(separator: ", ") + ")"
        var lines = [line(bought.purchasedAt, "\(verb) \(bought.product)\(suffix)\(end)")]
        if let cancelledAt = bought.cancelledAt {
            let what =
                bought.isUpgraded
                ? "upgraded from"
                : bought.isFamilyShared
                    ? "family sharing withdrawn of"
                    : "Apple refunded"
            lines.append(line(cancelledAt, "\(what) \(bought.product)"))
        }
        return lines
    }

    private static func lines(
        of renewal: Renewal, _ answer: CustomerFile.ShownAnswer
    ) -> [Line] {
        func line(_ at: Instant, _ what: String) -> Line {
            Line(
                at: at, what: what, transaction: renewal.originalID, digest: answer.digest)
        }
        var lines: [Line] = []
        if let end = renewal.gracePeriodExpiresAt { lines.append(line(end, "grace period ends")) }
        guard let askedAt = answer.answeredAt else { return lines }
        if renewal.isInBillingRetry { lines.append(line(askedAt, "Apple retries the payment")) }
        if renewal.willRenew == false {
            lines.append(line(askedAt, "will not renew (auto_renew_status 0)"))
        }
        if renewal.willRenew != false, let next = renewal.renewsAs {
            lines.append(line(askedAt, "renews as \(next)"))
        }
        return lines
    }

    private static func lines(of apple: AppleSide) -> [Line] {
        func line(_ at: Instant, _ what: String) -> Line {
            Line(at: at, what: what, transaction: apple.transaction, digest: nil)
        }
        var lines = [line(apple.purchasedAt, "bought or renewed \(apple.product)")]
        if let endsAt = apple.endsAt, endsAt.isFinite {
            lines.append(line(endsAt, "\(apple.product) ends"))
        }
        return lines
    }

    /// Of the runs in which a finding merely persisted, only the last is shown.
    private static func changes(_ changes: [CustomerFile.Change]) -> [Line] {
        let last = Dictionary(
            changes.filter { $0.what == Lifecycle.persisting.rawValue }.map { ($0.finding, $0.at) },
            uniquingKeysWith: max)
        return changes.compactMap { change in
            let isStill = change.what == Lifecycle.persisting.rawValue
            guard !isStill || last[change.finding] == change.at else { return nil }
            let kind = change.kind?.rawValue ?? "finding"
            let run = change.run.map { ", run \($0)" } ?? ""
            let what = isStill ? "still there" : change.what
            return Line(
                at: change.at, what: "\(kind) \(change.finding.prefix(8)): \(what)\(run)",
                transaction: nil, digest: nil, run: change.run?.text ?? "")
        }
    }
}

extension ExplainText {
    mutating func writeTimeline() {
        let timeline = ExplainTimeline(file).lines
        lines.append("What happened")
        if !file.mayReadAnswers {
            add(
                "The database role may not read Apple's answers (grant reconcile_evidence): earlier"
                    + " purchases are not shown.", indent: 2)
        } else if file.answers.isEmpty, file.receipts.contains(where: { $0.answeredAt != nil }) {
            add(
                "No answer of Apple's about this customer is kept (--evidence), so that earlier"
                    + " purchases are not shown.", indent: 2)
        }
        for line in timeline {
            let transaction = line.transaction.map { "  transaction \($0)" } ?? ""
            let digest = line.digest.map { "  [\($0.prefix(12))]" } ?? ""
            add("\(line.at)  \(line.what)\(transaction)\(digest)", indent: 2, hanging: 22)
        }
        lines.append("")
    }
}
