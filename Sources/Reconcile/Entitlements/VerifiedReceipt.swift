/// A stored receipt with what Apple says of it.
///
/// A class, since each of its purchases refers to it.
package final class VerifiedReceipt: Equatable, Sendable {
    package let id: ReceiptID
    /// The app that the service stored the receipt for.
    package let storedBundle: BundleID
    package let storedAt: Instant
    package let receipt: Receipt

    package init(id: ReceiptID, storedBundle: BundleID, storedAt: Instant, receipt: Receipt) {
        (self.id, self.storedBundle) = (id, storedBundle)
        (self.storedAt, self.receipt) = (storedAt, receipt)
    }

    package static func == (left: VerifiedReceipt, right: VerifiedReceipt) -> Bool {
        left === right
            || left.id == right.id && left.storedBundle == right.storedBundle
                && left.storedAt == right.storedAt && left.receipt == right.receipt
    }

    package var isForOtherApp: Bool { receipt.bundle != storedBundle }

    /// Only such answers give rights: production, and for the app they were stored for.
    package var isRightGiving: Bool {
        receipt.environment == .production && !isForOtherApp
    }
}
