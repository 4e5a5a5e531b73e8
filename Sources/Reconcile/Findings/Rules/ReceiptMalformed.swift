extension FindingKind {
    static let receiptMalformed = FindingKind(
        "receipt_malformed", .high, .none, or: (.low, .none), in: .receipts,
        action: .refreshReceipt, isFoundOffline: true)
}

extension FactRule {
    static let receiptMalformed = ofReceipts(
        .receiptMalformed, from: .storedText, moreSevere: .whereAnythingIsGranted
    ) { receipt, _ in
        let what =
            receipt.validation == .unusable(.empty)
            ? "empty" : receipt.validation == .unusable(.notAReceipt) ? "not a receipt" : nil
        return what.map { what in
            "What is stored as \(receipt.named) is \(what), by its own bytes, so that Apple was not"
                + " asked about it: ask the app to send its receipt again."
        }
    }
}
