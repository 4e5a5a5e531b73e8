extension FindingKind {
    /// The App Store Server API does not know the stored transaction, although it has had time to.
    static let transactionUnknown = FindingKind(
        "transaction_unknown", .medium, .none, in: .receipts, action: .investigate,
        remedy: "Apple knows the transaction, or the row is removed")
}

extension FactRule {
    static let transactionUnknown = ofReceipts(.transactionUnknown) { receipt, user in
        guard receipt.validation == .unverified(.unknownTransaction),
            receipt.storedAt < user.settings.asOf - mostLag
        else { return nil }
        return "Apple's App Store Server API knows the transaction of \(receipt.named) in neither"
            + " environment, more than 72 hours after it was stored: it may be made up, or of"
            + " another app."
    }

    /// Apple's servers may learn of a transaction late.
    private static let mostLag = Duration.seconds(72 * 3_600)
}
