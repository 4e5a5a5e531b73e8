/// Local proof: compares a stored receipt that Apple signed with Apple's answer about it.
///
/// The receipt is older than the answer, so most differences are normal: renewals, refunds and
/// purchases that came later, or transactions that only one of the two holds. Three facts cannot
/// change: the app, the product of a transaction and its purchase date. A transaction that was
/// cancelled in the receipt must be cancelled in the answer.
struct LocalProof: Sendable {
    private let trust: SignerTrust
    private let catalogued: Set<ProductID>?

    /// - Parameter catalogued: products whose kind is not read from receipts; nil: read no kinds.
    init(_ roots: TrustedRoots, catalogued: Set<ProductID>?) {
        trust = SignerTrust(roots)
        self.catalogued = catalogued
    }

    /// Empty unless Apple verified `receipt`, signed it, and it is PKCS#7.
    func facts(of receipt: SendableReceipt, with validation: Validation) -> SignedFacts {
        guard case .verified(let answer) = validation,
            let signed = try? SignedData(receipt.bytes),
            let payload = try? ReceiptPayload(signed.content), let createdAt = payload.createdAt
        else { return SignedFacts() }
        // Nearly always finds nothing, at little cost, so the signature is checked after it.
        let facts = SignedFacts(
            contradictions: payload.contradictions(with: answer),
            kinds: catalogued.map(payload.kinds(besides:)) ?? [:])
        guard facts != SignedFacts(), trust.isApples(signed, signedAt: createdAt) else {
            return SignedFacts()
        }
        return facts
    }
}

struct SignedFacts: Equatable {
    var contradictions: [Contradiction] = []
    var kinds: [ProductID: ProductKind] = [:]
}

extension ReceiptPayload {
    /// In the order of the receipt. The caller checks the signature.
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
        // For an upgraded transaction, the receipt had the time of the upgrade as cancellation.
        if let cancelledAt, transaction.cancelledAt == nil, !transaction.isUpgraded {
            found.append(.cancellation(of: transaction.id, signed: cancelledAt))
        }
        return found
    }
}
