internal import Synchronization

/// The receipt that a request brought, in as few bytes as possible. Who takes it frees it: the
/// request itself lasts until its answer.
final class HeldReceipt: Sendable {
    let digest: Digest
    let bundle: BundleID
    /// Whose it is, where that was said and counts.
    let user: UserID?
    let bytes: Int
    private let receipt: Mutex<ReceiptRequest?>

    init(_ receipt: ReceiptRequest, from user: UserID?) {
        digest = receipt.receiptDigest
        bundle = receipt.bundle
        self.user = user
        bytes = receipt.receipt.bytes.count
        self.receipt = Mutex(receipt.compact)
    }

    /// Nil when it was taken before.
    func take() -> ReceiptRequest? {
        receipt.withLock { receipt in
            defer { receipt = nil }
            return receipt
        }
    }

    /// `unsigned` when it was taken.
    func trust(of validator: AppStoreValidator) -> ReceiptTrust {
        receipt.withLock { receipt in receipt.map { validator.trust(in: $0) } ?? .unsigned }
    }

    /// Nil when it was taken, and for a receipt that Apple did not sign.
    func content(of trust: ReceiptTrust, by validator: AppStoreValidator) -> SignedContent? {
        receipt.withLock { receipt in
            receipt?.receipt.signedContent(trusting: validator.roots).map {
                SignedContent(digest: $0, isVariant: trust != .written)
            }
        }
    }
}
