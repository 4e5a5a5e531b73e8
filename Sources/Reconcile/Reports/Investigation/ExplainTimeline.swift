/// A customer's purchases and findings, in order of time.
struct ExplainTimeline: Sendable {
    struct Line: Hashable, Sendable {
        let at: Instant
        let what: String
        let transaction: TransactionID?
        /// SHA-256 of the source answer, in hexadecimal.
        let digest: String?
        /// Whose answer it is.
        var source: AnswerSource?
        /// What happened to a purchase, without what is told by one source only.
        var event = ""
        /// Run id of a finding; empty for a purchase.
        var run = ""
    }

    let lines: [Line]

    init(_ file: CustomerFile) {
        var lines: Set<Line> = []
        var known: Set<TransactionID> = []
        // Of the same purchase in several answers, the one that tells most of it.
        let sources: [AnswerSource] = [.serverAPI, .verifyReceipt]
        let answers = sources.flatMap { source in
            file.answers.filter { $0.server.source == source }
        }
        for answer in answers {
            guard let receipt = answer.shows else { continue }
            for transaction in receipt.transactions {
                let isKnown = !known.insert(transaction.id).inserted
                lines.formUnion(Self.lines(of: transaction, answer, unless: isKnown ? lines : []))
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

    /// - Parameter known: lines of other answers, of which none is repeated.
    private static func lines(
        of bought: Transaction, _ answer: CustomerFile.ShownAnswer, unless known: Set<Line>
    ) -> [Line] {
        func line(_ at: Instant, _ what: String, _ event: String) -> Line {
            Line(
                at: at, what: what, transaction: bought.id, digest: answer.digest,
                source: answer.server.source, event: event)
        }
        var verb = bought.id == bought.originalID ? "bought" : "renewed"
        if bought.expiresAt == nil { verb = "bought" }
        let end = bought.expiresAt.map { ", until \($0)" } ?? ""
        let marks = bought.marks
        let suffix = marks.isEmpty ? "" : " (" + marks.joined(separator: ", ") + ")"
        var lines = [
            line(
                bought.purchasedAt, "\(verb) \(bought.product)\(suffix)\(end)",
                "\(verb) \(bought.product)\(end)")
        ]
        if let cancelledAt = bought.cancelledAt {
            let part = bought.refundedPart.map { " (\($0))" } ?? ""
            let what = "\(bought.cancellation) \(bought.product)"
            lines.append(line(cancelledAt, what + part, what))
        }
        return lines.filter { line in
            !known.contains {
                $0.at == line.at && $0.transaction == line.transaction && $0.event == line.event
            }
        }
    }

    private static func lines(
        of renewal: Renewal, _ answer: CustomerFile.ShownAnswer
    ) -> [Line] {
        func line(_ at: Instant, _ what: String) -> Line {
            Line(
                at: at, what: what, transaction: renewal.originalID, digest: answer.digest,
                source: answer.server.source)
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

extension Transaction {
    /// What is special about the purchase, in words.
    fileprivate var marks: [String] {
        var marks: [String] = []
        if isTrial { marks.append("trial") }
        if isIntroductoryOffer { marks.append("introductory price") }
        if let promotionalOffer { marks.append(Self.offer("promotional offer", promotionalOffer)) }
        if let offerCode { marks.append(Self.offer("offer code", offerCode)) }
        if sale?.isWinBack == true { marks.append("win-back offer") }
        if isFamilyShared { marks.append("family-shared") }
        if let price = sale?.price { marks.append(price.inWords) }
        if sale?.isMonthlyCommitment == true { marks.append("monthly under a commitment") }
        if let account = sale?.accountToken { marks.append("by account \(account)") }
        return marks
    }

    /// - Parameter name: may be empty.
    private static func offer(_ what: String, _ name: String) -> String {
        name.isEmpty ? what : "\(what) \(name)"
    }

    fileprivate var cancellation: String {
        if isUpgraded { return "upgraded from" }
        return isOfFamily ? "family sharing withdrawn of" : "Apple refunded"
    }

    /// How much of the price Apple refunded; nil where it does not say so.
    fileprivate var refundedPart: String? {
        guard !isUpgraded, !isOfFamily, let part = sale?.revocationPercentage else { return nil }
        let thousandths = String(part % 1_000 + 1_000).dropFirst()
        let decimals = part % 1_000 == 0 ? "" : ".\(thousandths.trimmingZeros)"
        return "\(part / 1_000)\(decimals) % of the price"
    }
}

extension SalePrice {
    /// With the decimals of its currency, or three: `9.99 USD`.
    var inWords: String {
        let decimals = Currency(currency)?.decimals ?? 3
        let sign = thousandths < 0 ? "-" : ""
        let (units, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1_000)
        let digits = String(rest + 1_000).dropFirst()
        let needed = max(decimals, digits.trimmingZeros.count)
        let fraction = needed == 0 ? "" : ".\(digits.prefix(needed))"
        return "\(sign)\(units)\(fraction) \(currency)"
    }
}

extension Substring {
    /// Without zeros at the end.
    fileprivate var trimmingZeros: Substring {
        var rest = self
        while rest.last == "0" { rest.removeLast() }
        return rest
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
