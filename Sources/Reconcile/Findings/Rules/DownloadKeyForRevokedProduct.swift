extension FindingKind {
    static let downloadKeyForRevokedProduct = FindingKind(
        "download_key_for_revoked_product", .high, .leak, in: .mismatches, action: .investigate,
        remedy: "the service has taken the key back, or it has expired")
}

extension FactRule {
    static let downloadKeyForRevokedProduct = FactRule(
        .downloadKeyForRevokedProduct, from: .transactions
    ) { user in
        user.keyedReceipts.flatMap { receipt in
            receipt.liveKeys.compactMap { key -> Finding? in
                guard let revoked = user.revocation(of: key.product) else { return nil }
                let verb = revoked.purchase.isOfFamily ? "withdrew its sharing" : "refunded it"
                var finding = Finding(
                    .downloadKeyForRevokedProduct, on: receipt, of: user,
                    explanation: "\(key.named), although Apple \(verb) at \(revoked.at).",
                    reference: key.reference)
                finding.show(revoked.purchase)
                finding.receipt = receipt.id
                finding.productStored = key.product
                finding.appleState = revoked.purchase.isOfFamily ? .familyRevoked : .revoked
                finding.reason = revoked.purchase.cancellationReasonName
                return finding
            }
        }
    }
}
