/// A receipt with live download keys, and a right-giving answer that shows all that it holds: what
/// the three kinds about download keys are read from.
struct KeyedReceipt {
    let source: VerifiedReceipt
    let liveKeys: [StoredDownloadKey]
    /// Products that the service has answered for, by whichever key.
    let products: Set<ProductID>
}

extension UserCase {
    /// Receipts of the sandbox, of other apps, and those whose answer could not be read whole are
    /// left out.
    var keyedReceipts: [KeyedReceipt] {
        guard !evidence.downloadKeys.isEmpty else { return [] }
        let keys = Dictionary(grouping: evidence.downloadKeys, by: \.receipt)
        return evidence.receipts.compactMap { receipt in
            guard let own = keys[receipt.id], let source = receipt.verified, source.isRightGiving,
                source.receipt.anomalies.isEmpty
            else { return nil }
            let live = own.filter { $0.isLive(asOf: settings.asOf) }
            guard !live.isEmpty else { return nil }
            return KeyedReceipt(
                source: source, liveKeys: live, products: Set(own.map(\.product)))
        }
    }

    /// Where Apple took `product` back, and nothing else gives it: the purchase taken back last.
    func revocation(of product: ProductID) -> CancelledPurchase? {
        let isPaidFor = grandfathering.paid.contains { $0.ruling.premium == product }
        let shown = evidence.receipts.compactMap(\.verified).filter(\.isRightGiving)
            .flatMap(\.purchases).filter { $0.product == product }
        // What was bought after the instant of judgement may be what the key was cut for.
        let isBoughtSince = shown.contains { !$0.isCancelled && $0.purchasedAt > settings.asOf }
        guard !isPaidFor, !isBoughtSince else { return nil }
        let own = purchases.all.filter { $0.product == product }
        let isRevoked =
            kinds.kind(of: product) == .consumable
            ? !own.isEmpty && own.allSatisfy(\.isCancelled)
            : grantors.filter { $0.product == product }.min { $0.comesBefore($1, for: nil) }
                .map { $0.state == .revoked || $0.state == .familyRevoked } ?? false
        guard isRevoked else { return nil }
        return own.compactMap { purchase in
            purchase.cancelledAt.map { CancelledPurchase(purchase: purchase, at: $0) }
        }.max { $0.at < $1.at }
    }
}

extension Finding {
    /// A finding about a download key or a product of `receipt`.
    init(
        _ kind: FindingKind, on receipt: KeyedReceipt, of user: UserCase, explanation: String,
        reference: String
    ) {
        self.init(
            kind: kind, weight: kind.weight, user: user.evidence.user, explanation: explanation,
            reference: reference)
        self.receipt = receipt.source.id
        bundle = receipt.source.receipt.bundle
        environment = receipt.source.receipt.environment
    }
}

extension StoredDownloadKey {
    /// What a finding about it is known by: the key itself stays with the service.
    var reference: String { Digest.sha256(Array((key ?? "").utf8)).hexadecimal }

    /// As a part of a sentence.
    var named: String {
        "A download key for \(remoteProduct), cut for the product \(product) of receipt \(receipt),"
            + " opens until \(expiresAt)"
    }
}
