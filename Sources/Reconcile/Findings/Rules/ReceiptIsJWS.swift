extension FindingKind {
    static let receiptIsJWS = FindingKind(
        "receipt_is_jws", .low, .none, in: .receipts, action: .refreshReceipt,
        isFoundOffline: true)
}

extension FactRule {
    static let receiptIsJWS = ofReceipts(.receiptIsJWS, from: .storedText) { receipt, _ in
        guard receipt.validation == .unusable(.jws) else { return nil }
        return "What is stored as \(receipt.named) is a StoreKit 2 signed transaction:"
            + " verifyReceipt cannot check it, the App Store Server API can."
    }
}
