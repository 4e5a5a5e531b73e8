extension FindingKind {
    static let receiptAccountGone = FindingKind(
        "receipt_account_gone", .medium, .none, in: .receipts, action: .investigate,
        remedy: "the receipt is removed, or replaced by one that Apple verifies")
}

extension FactRule {
    static let receiptAccountGone = ofReceipts(.receiptAccountGone) { receipt, _ in
        guard receipt.validation == .rejected(.accountGone) else { return nil }
        return "Apple said twice that the account of \(receipt.named) is not found or was deleted"
            + " (status 21010): what it proved can no longer be checked."
    }
}
