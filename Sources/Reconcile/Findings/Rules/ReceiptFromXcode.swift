extension FindingKind {
    static let receiptFromXcode = FindingKind(
        "receipt_from_xcode", .low, .none, in: .receipts, action: .refreshReceipt,
        isFoundOffline: true)
}

extension FactRule {
    static let receiptFromXcode = ofReceipts(.receiptFromXcode, from: .storedText) { receipt, _ in
        guard receipt.validation == .unusable(.xcode) else { return nil }
        return "What is stored as \(receipt.named) was made by Xcode's StoreKit testing:"
            + " Apple does not know it, and nothing was paid."
    }
}
