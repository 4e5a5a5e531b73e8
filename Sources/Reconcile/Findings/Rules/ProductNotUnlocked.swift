extension FindingKind {
    static let productNotUnlocked = FindingKind(
        "product_not_unlocked", .high, .owed, in: .mismatches, action: .restore,
        remedy: "the service gives a key for the product, or Apple's answers no longer give it")
}

extension FactRule {
    // A product for which no receipt has a key probably has no asset.
    static let productNotUnlocked = FactRule(
        .productNotUnlocked, from: .transactions
    ) { user in
        user.keyedReceipts.flatMap { receipt in
            user.grantors.compactMap { grantor -> Finding? in
                let isOfReceipt = receipt.source.purchases.contains { purchase in
                    purchase.product == grantor.product && !purchase.isCancelled
                }
                guard grantor.entitles, isOfReceipt,
                    user.catalog.downloadable.contains(grantor.product),
                    !receipt.products.contains(grantor.product)
                else { return nil }
                var finding = Finding(
                    .productNotUnlocked, on: receipt, of: user,
                    explanation: "Apple shows that the customer has the product"
                        + " \(grantor.product) by receipt \(receipt.id); the service gave"
                        + " keys for other products of the receipt, and none for this one.",
                    reference: "\(receipt.id) \(grantor.product)")
                finding.show(grantor)
                finding.receipt = receipt.id
                return finding
            }
        }
    }
}
