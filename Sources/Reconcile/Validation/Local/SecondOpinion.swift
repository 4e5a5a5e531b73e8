/// What a stored receipt says itself, held against Apple's answer to it.
///
/// The receipt is of the past and the answer of today, so most differences mean nothing: renewals,
/// refunds and purchases came later, and what is in one and not in the other says nothing. Three
/// things cannot change: whose app it is, what was bought in a transaction, and when. And what was
/// cancelled when the receipt was signed should not have come back.
///
/// One thing only the receipt knows: of what kind a product is.
struct SecondOpinion: Sendable {
    private let trust: SignerTrust
    private let catalogued: Set<ProductID>?

    /// - Parameter catalogued: of these the kind is not asked; nil: of none.
    init(_ roots: TrustedRoots, catalogued: Set<ProductID>?) {
        (trust, self.catalogued) = (SignerTrust(roots), catalogued)
    }

    /// Nothing unless Apple verified `receipt`, and signed it, and it is PKCS#7.
    func words(of receipt: SendableReceipt, with validation: Validation) -> SignedWords {
        guard case .verified(let answer) = validation,
            let signed = try? SignedData(receipt.bytes),
            let payload = try? ReceiptPayload(signed.content), let createdAt = payload.createdAt
        else { return SignedWords() }
        // The comparison is cheap, and nearly always there is nothing for Apple to have signed.
        let words = SignedWords(
            contradictions: payload.contradictions(with: answer),
            kinds: catalogued.map(payload.kinds(besides:)) ?? [:])
        guard words != SignedWords(), trust.isApples(signed, signedAt: createdAt) else {
            return SignedWords()
        }
        return words
    }
}

/// What a receipt that Apple signed says beside Apple's answer to it.
struct SignedWords: Equatable {
    var contradictions: [Contradiction] = []
    var kinds: [ProductID: ProductKind] = [:]
}

extension ReceiptPayload {
    /// In the order of the receipt, whoever signed it.
    func contradictions(with answer: Receipt) -> [Contradiction] {
        var found: [Contradiction] = []
        if let bundle, BundleID(bundle) != answer.bundle {
            found.append(.bundle(signed: BundleID(bundle)))
        }
        guard !purchases.isEmpty else { return found }
        let answered = Dictionary(
            answer.transactions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for purchase in purchases {
            guard let id = purchase.transaction, let transaction = answered[id] else { continue }
            found += purchase.contradictions(with: transaction)
        }
        return found
    }
}

extension InAppPurchase {
    fileprivate func contradictions(with transaction: Transaction) -> [Contradiction] {
        var found: [Contradiction] = []
        if let product, product != transaction.product {
            found.append(
                .product(of: transaction.id, signed: product, answered: transaction.product))
        }
        // Receipts have whole seconds, answers may have milliseconds.
        if let purchasedAt,
            abs(purchasedAt.milliseconds - transaction.purchasedAt.milliseconds) >= 1_000
        {
            found.append(
                .purchaseDate(
                    of: transaction.id, signed: purchasedAt, answered: transaction.purchasedAt))
        }
        // Of what was upgraded, the cancellation once was the time of the upgrade.
        if let cancelledAt, transaction.cancelledAt == nil, !transaction.isUpgraded {
            found.append(.cancellation(of: transaction.id, signed: cancelledAt))
        }
        return found
    }
}
