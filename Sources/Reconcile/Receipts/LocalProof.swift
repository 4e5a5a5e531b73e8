/// Local proof: compares a stored receipt that Apple signed with Apple's answer about it.
///
/// The receipt is older than the answer, so most differences are normal: renewals, refunds and
/// purchases that came later, or transactions that only one of the two holds. Three facts cannot
/// change: the app, the product of a transaction and its purchase date. A transaction that was
/// cancelled in the receipt must be cancelled in the answer.
struct LocalProof: Sendable {
    private let apple: AppleSignature
    private let catalogued: Set<ProductID>?

    /// - Parameter catalogued: products whose kind is not read from receipts; nil: read no kinds.
    init(_ apple: AppleSignature, catalogued: Set<ProductID>?) {
        self.apple = apple
        self.catalogued = catalogued
    }

    /// Empty unless Apple verified `receipt`, signed it, and it is PKCS#7.
    func facts(of receipt: SendableReceipt, with validation: Validation) -> SignedFacts {
        guard case .verified(let answer) = validation,
            let signed = try? SignedData(receipt.bytes),
            let payload = try? ReceiptPayload(signed.content), payload.createdAt != nil
        else { return SignedFacts() }
        // Nearly always finds nothing, at little cost, so the signature is checked after it.
        let (contradictions, unanswered) = payload.comparison(with: answer)
        var facts = SignedFacts(
            contradictions: contradictions, kinds: catalogued.map(payload.kinds(excluding:)) ?? [:])
        guard facts == SignedFacts() || apple.isOn(.app(signed, payload)) else {
            return SignedFacts()
        }
        facts.unanswered = unanswered
        return facts
    }

    /// Whether Apple signed `receipt` for the app `bundle`, in production.
    func isApples(_ receipt: SendableReceipt, for bundle: BundleID) -> Bool {
        guard let signed = try? SignedData(receipt.bytes),
            let payload = try? ReceiptPayload(signed.content),
            payload.storeEnvironment == .production, payload.bundle == bundle.text
        else { return false }
        return apple.isOn(.app(signed, payload))
    }
}

struct SignedFacts: Equatable, Sendable {
    /// Facts in which the receipt, signed by Apple, contradicts the answer.
    var contradictions: [Contradiction] = []
    /// The kinds of products that the catalogue lacks.
    var kinds: [ProductID: ProductKind] = [:]
    /// What the answer lacks of the receipt's uncancelled purchases. Most were consumed or replaced
    /// since; only for the others is the signature worth checking, which was not done.
    var unanswered: [KnownPurchase] = []
}

extension ReceiptPayload {
    func contradictions(with answer: Receipt) -> [Contradiction] {
        comparison(with: answer).contradictions
    }

    /// In the order of the receipt. The caller checks the signature.
    func comparison(
        with answer: Receipt
    ) -> (contradictions: [Contradiction], unanswered: [KnownPurchase]) {
        var found: [Contradiction] = []
        var unanswered: [KnownPurchase] = []
        if let bundle, BundleID(bundle) != answer.bundle {
            found.append(.bundle(signed: BundleID(bundle)))
        }
        guard !purchases.isEmpty else { return (found, unanswered) }
        let answered = Dictionary(
            answer.transactions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for purchase in purchases {
            guard let id = purchase.transaction else { continue }
            if let transaction = answered[id] {
                found += purchase.contradictions(with: transaction)
            } else if let known = KnownPurchase(purchase), !answer.mayHave(id) {
                unanswered.append(known)
            }
        }
        return (found, unanswered)
    }
}

extension Receipt {
    /// Whether an entry that cannot be read may be the transaction.
    fileprivate func mayHave(_ transaction: TransactionID) -> Bool {
        anomalies.contains { $0.transaction == nil || $0.transaction == transaction }
    }
}

extension KnownPurchase {
    /// Nil for a cancelled purchase and for one without a product, an id or a date.
    fileprivate init?(_ purchase: InAppPurchase) {
        guard purchase.cancelledAt == nil, let id = purchase.transaction, !id.text.isEmpty,
            let product = purchase.product, let purchasedAt = purchase.purchasedAt
        else { return nil }
        let original = purchase.originalTransaction.flatMap { $0.text.isEmpty ? nil : $0 }
        self.init(
            id: id, originalID: original ?? id, product: product, kind: purchase.kind,
            purchasedAt: purchasedAt, endsAt: purchase.expiresAt, lineItem: purchase.lineItem)
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
