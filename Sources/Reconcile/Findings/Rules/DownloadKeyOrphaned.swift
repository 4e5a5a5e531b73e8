extension FindingKind {
    static let downloadKeyOrphaned = FindingKind(
        "download_key_orphaned", .high, .leak, in: .mismatches, action: .investigate,
        remedy: "the service has taken the key back, or it has expired")
}

extension FactRule {
    static let downloadKeyOrphaned = FactRule(
        .downloadKeyOrphaned, from: .transactions
    ) { user in
        user.keyedReceipts.flatMap { receipt in
            let shown = Set(receipt.source.receipt.transactions.map(\.product))
            let premium = user.catalog.apps[receipt.source.receipt.bundle]?.premiumProduct
            return receipt.liveKeys.compactMap { key -> Finding? in
                // The premium product of a paid app has no transaction.
                guard !shown.contains(key.product), key.product != premium else { return nil }
                var finding = Finding(
                    .downloadKeyOrphaned, on: receipt, of: user,
                    explanation: "\(key.named), and Apple's answer to the receipt shows no purchase"
                        + " of that product.", reference: key.reference)
                finding.productStored = key.product
                return finding
            }
        }
    }
}
