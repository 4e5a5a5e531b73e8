/// A stored receipt with what Apple says of it.
///
/// A class, since each of its purchases refers to it.
package final class VerifiedReceipt: Equatable, Sendable {
    package let id: ReceiptID
    /// The app that the service stored the receipt for.
    package let storedBundle: BundleID
    package let storedAt: Instant
    package let receipt: Receipt
    /// SHA-256 of the answer's body as received, in hexadecimal.
    package let evidenceSHA256: String?

    package init(
        id: ReceiptID, storedBundle: BundleID, storedAt: Instant, receipt: Receipt,
        evidenceSHA256: String? = nil
    ) {
        (self.id, self.storedBundle, self.storedAt) = (id, storedBundle, storedAt)
        (self.receipt, self.evidenceSHA256) = (receipt, evidenceSHA256)
    }

    package static func == (left: VerifiedReceipt, right: VerifiedReceipt) -> Bool {
        left === right
            || left.id == right.id && left.storedBundle == right.storedBundle
                && left.storedAt == right.storedAt && left.receipt == right.receipt
                && left.evidenceSHA256 == right.evidenceSHA256
    }

    package var isForOtherApp: Bool { receipt.bundle != storedBundle }

    /// Only such answers give rights: production, and for the app they were stored for.
    package var isRightGiving: Bool {
        receipt.environment == .production && !isForOtherApp
    }
}
