extension FindingKind {
    static let receiptNotAuthentic = FindingKind(
        "receipt_not_authentic", .critical, .leak, or: (.medium, .none), in: .receipts,
        action: .investigate, isFoundOffline: true,
        remedy: "the receipt is removed, or replaced by one that Apple verifies")
}

extension FactRule {
    static let receiptNotAuthentic = ofReceipts(
        .receiptNotAuthentic, moreSevere: .whereAGrantDependsOnIt
    ) { receipt, _ in
        guard case .rejected(let why) = receipt.validation, why != .accountGone else { return nil }
        guard why == .signature else {
            return "Apple said twice (status 21003) that \(receipt.named) could not be"
                + " authenticated: it proves no purchase."
        }
        let apple =
            receipt.source != nil ? ", and Apple cannot read it (status 21002)" : ""
        return
            "The signature of \(receipt.named) does not fit its own bytes\(apple): it was changed"
            + " after it was signed and proves no purchase."
    }
}
