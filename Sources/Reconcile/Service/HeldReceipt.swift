internal import Synchronization

/// The receipt that a request brought, in as few bytes as possible. Who takes it frees it: the
/// request itself lasts until its answer.
final class HeldReceipt: Sendable {
    let digest: Digest
    let bundle: BundleID
    /// Whose it is, where that was said and counts.
    let user: UserID?
    let bytes: Int
    private let receipt: Mutex<Question?>

    init(_ receipt: Question, from user: UserID?) {
        digest = receipt.receiptDigest
        bundle = receipt.bundle
        self.user = user
        bytes = receipt.receipt.bytes.count
        self.receipt = Mutex(receipt.compact)
    }

    /// Nil when it was taken before.
    func take() -> Question? {
        receipt.withLock { receipt in
            defer { receipt = nil }
            return receipt
        }
    }

    /// `unsigned` when it was taken. There is no content of a receipt that Apple did not sign.
    func trust(by asking: Asking) -> (ReceiptTrust, SignedContent?) {
        receipt.withLock { receipt in
            guard let (trust, content) = receipt.map(asking.trust) else {
                return (.unsigned, nil)
            }
            let signed = content.map {
                SignedContent(digest: $0.digest, isVariant: trust != .written)
            }
            return (trust, signed)
        }
    }
}
