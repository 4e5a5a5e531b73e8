/// A stored receipt and Apple's answer about it. A class, because its purchases refer to it.
package final class VerifiedReceipt: Equatable, Sendable {
    package let id: ReceiptID
    package let storedBundle: BundleID
    package let storedAt: Instant
    package let receipt: Receipt

    package init(id: ReceiptID, storedBundle: BundleID, storedAt: Instant, receipt: Receipt) {
        self.id = id
        self.storedBundle = storedBundle
        self.storedAt = storedAt
        self.receipt = receipt
    }

    package static func == (left: VerifiedReceipt, right: VerifiedReceipt) -> Bool {
        left === right
            || left.id == right.id && left.storedBundle == right.storedBundle
                && left.storedAt == right.storedAt && left.receipt == right.receipt
    }

    package var isForOtherApp: Bool { receipt.bundle != storedBundle }

    /// Whether the answer gives rights: it is of production, and for the app it was stored for.
    package var isRightGiving: Bool {
        receipt.environment == .production && !isForOtherApp
    }
}
