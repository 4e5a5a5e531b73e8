struct KeyedReceipt {
    let id: ReceiptID
    let source: VerifiedReceipt
    let liveKeys: [StoredDownloadKey]
    /// Products for which the service issued any key, live or expired.
    let products: Set<ProductID>
}

extension UserCase {
    /// Leaves out receipts of the sandbox or of other apps, and answers with malformed entries.
    var keyedReceipts: [KeyedReceipt] {
        guard !evidence.downloadKeys.isEmpty else { return [] }
        let keys = Dictionary(grouping: evidence.downloadKeys, by: \.receipt)
        return evidence.receipts.compactMap { receipt in
            guard let own = keys[receipt.id], let source = receipt.verified, source.isRightGiving,
                !receipt.isMissing
            else { return nil }
            let live = own.filter { $0.isLive(asOf: settings.asOf) }
            guard !live.isEmpty else { return nil }
            return KeyedReceipt(
                id: receipt.id, source: source, liveKeys: live, products: Set(own.map(\.product)))
        }
    }

    /// The last cancelled purchase of `product`, when all were cancelled and nothing else gives it.
    func revocation(of product: ProductID) -> CancelledPurchase? {
        let isPaidFor = grandfathering.paid.contains { $0.ruling.premium == product }
        let shown = verified.filter(\.isRightGiving)
            .flatMap(\.purchases).filter { $0.product == product }
        // The key may belong to a purchase after the instant of judgement.
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
    init(
        _ kind: FindingKind, on receipt: KeyedReceipt, of user: UserCase, explanation: String,
        reference: String
    ) {
        self.init(
            kind: kind, weight: kind.weight, user: user.evidence.user, explanation: explanation,
            reference: reference)
        self.receipt = receipt.id
        source = receipt.source.proof.source
        question = receipt.source.question
        bundle = receipt.source.receipt.bundle
        environment = receipt.source.receipt.environment
    }
}

extension StoredDownloadKey {
    /// The reference of a finding about the key: its SHA-256, because the key itself is secret.
    var reference: String { Digest.sha256(Array((key ?? "").utf8)).hexadecimal }

    var named: String {
        "A download key for \(remoteProduct), cut for the product \(product) of receipt \(receipt),"
            + " opens until \(expiresAt)"
    }
}
