extension FindingKind {
    static let receiptForOtherApp = FindingKind(
        "receipt_for_other_app", .critical, .leak, or: (.medium, .none), in: .receipts,
        action: .investigate, isFoundOffline: true,
        remedy: "the receipt is stored for the app that Apple names")
}

extension FactRule {
    static let receiptForOtherApp = ofReceipts(
        .receiptForOtherApp, moreSevere: .whereAGrantDependsOnIt
    ) { receipt, _ in
        guard let verified = receipt.verified, verified.isForOtherApp else { return nil }
        let source = receipt.proof != .ownSignature ? "Apple says that" : "By Apple's own signature"
        return "\(source) \(receipt.named) belongs to another app, \(verified.receipt.bundle):"
            + " it proves nothing for this one."
    }
}
