/// A purchase whose dates cannot all be true (SPEC §5, `implausible_dates`).
struct ImplausibleDates: Equatable {
    enum Why: Equatable {
        /// Bought more than 48 hours after Apple answered.
        case boughtAfterAnswer
        case expiresBeforePurchase
        /// Longer than twice the billing period, and 180 days, without an offer.
        case tooLong(billingPeriod: Duration)
    }

    let transaction: Transaction
    let why: Why

    private static let clockSkew: Int64 = 48 * 3_600_000
    /// In milliseconds: each purchase of a night is measured by them, and a `Duration` is reckoned
    /// in 128 bits.
    fileprivate static let leeway: Int64 = 180 * 86_400_000

    /// Nil when nothing is wrong with `transaction`, as far as anybody knows.
    init?(_ transaction: Transaction, requestedAt: Instant?, billingPeriod: Duration?) {
        self.transaction = transaction
        if let requestedAt,
            transaction.purchasedAt > requestedAt.advanced(byMilliseconds: Self.clockSkew)
        {
            why = .boughtAfterAnswer
            return
        }
        guard let expiresAt = transaction.expiresAt else { return nil }
        if expiresAt < transaction.purchasedAt {
            why = .expiresBeforePurchase
        } else if let billingPeriod, !transaction.isOffer,
            expiresAt
                > (transaction.purchasedAt + billingPeriod + billingPeriod)
                .advanced(byMilliseconds: Self.leeway)
        {
            why = .tooLong(billingPeriod: billingPeriod)
        } else {
            return nil
        }
    }

    /// What is odd about a purchase in `answer`, as a part of a sentence.
    /// - Parameter witness: the answer, or the receipt by which its dates are judged.
    func sentence(in answer: Receipt, by witness: String = "the answer") -> String {
        let what = "transaction \(transaction.id) of \(transaction.product)"
        let (bought, end) = (transaction.purchasedAt, transaction.expiresAt?.description ?? "")
        switch why {
        case .boughtAfterAnswer:
            return "\(what) as bought \(bought), more than 48 hours after \(witness) itself"
                + " (\(answer.requestedAt?.description ?? ""))"
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

extension Account {
    /// Of several the one with the smallest transaction id, whenever it was bought.
    func implausibleDates(in receipt: Receipt) -> ImplausibleDates? {
        receipt.transactions.compactMap { transaction in
            ImplausibleDates(
                transaction, requestedAt: receipt.requestedAt,
                // A receipt does not name the offer code that may have paid for a long period.
                billingPeriod: isOffline ? nil : billingPeriod(ofLong: transaction))
        }.min { $0.transaction.id < $1.transaction.id }
    }

    /// Nil for what is paid for no longer than the leeway, where no catalogue need be asked.
    private func billingPeriod(ofLong transaction: Transaction) -> Duration? {
        guard let expiresAt = transaction.expiresAt,
            expiresAt > transaction.purchasedAt.advanced(byMilliseconds: ImplausibleDates.leeway)
        else { return nil }
        return catalog.products[transaction.product]?.billingPeriod?.nominalDuration
    }
}

extension Transaction {
    /// A trial, or a price or period that Apple or the team gave away.
    fileprivate var isOffer: Bool {
        isTrial || isIntroductoryOffer || promotionalOffer != nil || offerCode != nil
    }
}
