extension FindingKind {
    /// Apple refunded a purchase that no answer of the run shows: the app's customers have not sent
    /// the receipt. Reported by one run only, like a recorded refund.
    static let refundWithoutReceipt = FindingKind(
        "refund_without_receipt", .info, .none, in: .refunds, action: .none, money: .refund,
        event: .refund)
}

/// A refund by the newest notice about a transaction.
struct RefundOfNobody: Sendable {
    /// Reads a kept notice; nil when it shows no such refund.
    typealias Reading = @Sendable (_ payload: [UInt8]) -> RefundOfNobody?

    let purchase: Purchase
    let cancelledAt: Instant
    /// By which a refund is known, whoever had it.
    let reference: String
    /// Whether it is new enough to be reported.
    let isReportable: Bool
    private let kinds: ProductKinds
    private let evidence: Digest

    /// Nil for a purchase that is not refunded at the instant of judgement, or that the customer's
    /// family shared.
    /// - Parameters:
    ///   - notice: has the transaction.
    ///   - payload: the notice as received, which is the evidence with a line feed.
    init?(_ notice: Receipt, of payload: [UInt8], _ judge: Judge) {
        let source = VerifiedReceipt(
            id: "", storedBundle: notice.bundle, receipt: notice, proof: .serverAPI)
        guard let purchase = source.purchases(seenAsOf: judge.settings.asOf).first,
            let cancelledAt = purchase.cancelledAt, !purchase.isOfFamily
        else { return nil }
        self.purchase = purchase
        self.cancelledAt = cancelledAt
        evidence = Digest.sha256(payload + [UInt8(ascii: "\n")])
        kinds = ProductKinds(
            catalog: judge.catalog, seenExpiring: purchase.hasEnd ? [purchase.product] : [],
            typed: notice.kinds)
        isReportable = judge.settings.isReportable(eventAt: cancelledAt)
        reference = kinds.refundReference(of: purchase)
    }

    var bundle: BundleID { purchase.source.receipt.bundle }

    /// In lower case; nil when the app named no account.
    var accountToken: String? { purchase.sale?.accountToken?.lowercased() }

    /// - Parameter user: whose the token is.
    func finding(of user: UserID?) -> Finding {
        let kind = FindingKind.refundWithoutReceipt
        var finding = Finding(
            kind: kind, weight: kind.weight, user: user,
            explanation: "By Apple's notice \(purchase.named) was refunded at \(cancelledAt)"
                + "\(purchase.refundReason), and no answer of this run shows the purchase.",
            reference: reference)
        finding.show(purchase)
        finding.receipt = nil
        finding.reason = purchase.cancellationReasonName
        finding.eventAt = cancelledAt
        finding.evidenceSHA256 = evidence.hexadecimal
        finding.evidenceSigned = true
        finding.estimate = Estimate(ofRefundOf: purchase, kinds)
        return finding
    }
}

extension ReportedFinding {
    /// The sum that it belongs to. A refund without a receipt is in none without an amount: nothing
    /// else shows what it was for.
    var moneyBucket: MoneyTally.Bucket? {
        finding.kind == .refundWithoutReceipt && estimatedAmount == nil ? nil : finding.moneyBucket
    }
}
