/// A stored receipt and what Apple says about it. A class, because its purchases refer to it.
final class VerifiedReceipt: Equatable, Sendable {
    let id: ReceiptID
    let storedBundle: BundleID
    let storedAt: Instant
    let receipt: Receipt
    let proof: ReceiptProof

    init(
        id: ReceiptID, storedBundle: BundleID, storedAt: Instant, receipt: Receipt,
        proof: ReceiptProof = .answer
    ) {
        self.id = id
        self.storedBundle = storedBundle
        self.storedAt = storedAt
        self.receipt = receipt
        self.proof = proof
    }

    static func == (left: VerifiedReceipt, right: VerifiedReceipt) -> Bool {
        left === right
            || left.id == right.id && left.storedBundle == right.storedBundle
                && left.storedAt == right.storedAt && left.proof == right.proof
                && left.receipt == right.receipt
    }

    var isForOtherApp: Bool { receipt.bundle != storedBundle }

    /// Whether the answer gives rights: it is of production, and for the app it was stored for.
    var isRightGiving: Bool {
        receipt.environment == .production && !isForOtherApp
    }
}
