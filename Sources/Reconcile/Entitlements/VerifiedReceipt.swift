/// A stored receipt and Apple's answer about it. A class, because its purchases refer to it.
final class VerifiedReceipt: Equatable, Sendable {
    let id: ReceiptID
    let storedBundle: BundleID
    let storedAt: Instant
    let receipt: Receipt

    init(id: ReceiptID, storedBundle: BundleID, storedAt: Instant, receipt: Receipt) {
        self.id = id
        self.storedBundle = storedBundle
        self.storedAt = storedAt
        self.receipt = receipt
    }

    static func == (left: VerifiedReceipt, right: VerifiedReceipt) -> Bool {
        left === right
            || left.id == right.id && left.storedBundle == right.storedBundle
                && left.storedAt == right.storedAt && left.receipt == right.receipt
    }

    var isForOtherApp: Bool { receipt.bundle != storedBundle }

    /// Whether the answer gives rights: it is of production, and for the app it was stored for.
    var isRightGiving: Bool {
        receipt.environment == .production && !isForOtherApp
    }
}
