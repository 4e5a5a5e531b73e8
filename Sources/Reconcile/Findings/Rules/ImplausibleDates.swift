extension FindingKind {
    static let implausibleDates = FindingKind(
        "implausible_dates", .medium, .none, in: .receipts, action: .investigate,
        isFoundOffline: true)
}

extension FactRule {
    // Reads answers before purchases after `as_of` are dropped; right-giving answers only.
    static let implausibleDates = ofReceipts(.implausibleDates, from: .transactions) {
        receipt, user in
        guard let verified = receipt.verified, verified.isRightGiving,
            let odd = user.implausibleDates(in: verified)
        else { return nil }
        let shown = odd.sentence(in: verified)
        return "\(receipt.namedProof) shows \(shown):"
            + " such dates should be looked into before anybody acts on them."
    }
}

struct ImplausibleDates: Equatable {
    enum Why: Equatable {
        /// Bought more than 48 hours after Apple answered.
        case boughtAfterAnswer
        case expiresBeforePurchase
        /// Longer than two billing periods plus 180 days, without an offer.
        case tooLong(billingPeriod: Duration)
    }

    let transaction: Transaction
    let why: Why

    private static let clockSkew: Int64 = 48 * 3_600_000
    /// Milliseconds, and not a `Duration`: every purchase is compared, and `Duration` has 128 bits.
    private static let leeway: Int64 = 180 * 86_400_000

    /// - Parameter billingPeriod: nil for an offer. Called for long periods only.
    fileprivate static func why(
        purchasedAt: Instant, expiresAt: Instant?, requestedAt: Instant?,
        billingPeriod: () -> Duration?
    ) -> Why? {
        if let requestedAt, purchasedAt > requestedAt.advanced(byMilliseconds: clockSkew) {
            return .boughtAfterAnswer
        }
        guard let expiresAt else { return nil }
        if expiresAt < purchasedAt { return .expiresBeforePurchase }
        guard expiresAt > purchasedAt.advanced(byMilliseconds: leeway),
            let period = billingPeriod(),
            expiresAt > (purchasedAt + period + period).advanced(byMilliseconds: leeway)
        else { return nil }
        return .tooLong(billingPeriod: period)
    }

    func sentence(in verified: VerifiedReceipt) -> String {
        let what = "transaction \(transaction.id) of \(transaction.product)"
        let bought = transaction.purchasedAt
        let end = transaction.expiresAt?.description ?? ""
        switch why {
        case .boughtAfterAnswer:
            return
                "\(what) as bought \(bought), more than 48 hours after the \(verified.proof.noun)"
                + " itself (\(verified.receipt.requestedAt?.description ?? ""))"
        case .expiresBeforePurchase:
            return "\(what) as expiring \(end), before it was bought \(bought)"
        case .tooLong(let period):
            let hours = period.inMilliseconds / 3_600_000
            let length = hours % 24 == 0 ? "\(hours / 24) days" : "\(hours) hours"
            return "\(what) as paid from \(bought) to \(end) without a trial or an offer, more than"
                + " twice the catalogue's billing period of \(length), and 180 days"
        }
    }
}

extension UserCase {
    /// Of several, the one with the smallest transaction id.
    func implausibleDates(in verified: VerifiedReceipt) -> ImplausibleDates? {
        let receipt = verified.receipt
        return receipt.transactions.indices.compactMap { index in
            // By index: a copy of each transaction cost as much as all other work here.
            ImplausibleDates.why(
                purchasedAt: receipt.transactions[index].purchasedAt,
                expiresAt: receipt.transactions[index].expiresAt,
                requestedAt: receipt.requestedAt,
                billingPeriod: {
                    billingPeriod(of: receipt.transactions[index], by: verified.proof)
                }
            ).map { ImplausibleDates(transaction: receipt.transactions[index], why: $0) }
        }.min { $0.transaction.id < $1.transaction.id }
    }

    /// Whether a purchase of the chain or stack has dates that cannot be true. What was bought
    /// after the instant of judgement counts, too.
    func hasImplausibleDates(_ grantor: Grantor) -> Bool {
        (purchases.all + purchases.upcoming).contains { purchase in
            let isOwn =
                grantor.chain.map { $0 == purchase.originalID && kinds.isPeriod(purchase) }
                ?? (purchase.product == grantor.product)
            return isOwn
                && ImplausibleDates.why(
                    purchasedAt: purchase.purchasedAt, expiresAt: purchase.expiresAt,
                    requestedAt: purchase.source.receipt.requestedAt,
                    billingPeriod: {
                        billingPeriod(of: purchase.transaction, by: purchase.source.proof)
                    }) != nil
        }
    }

    private func billingPeriod(
        of transaction: Transaction, by proof: ReceiptProof
    ) -> Duration? {
        guard proof.showsOfferCodes, !transaction.isTrial, !transaction.isDiscounted
        else { return nil }
        return catalog.products[transaction.product]?.billingPeriod?.nominalDuration
    }
}
