internal import Synchronization

/// The receipt of a request, in as few bytes as possible. Whatever takes it frees it: the request
/// itself lasts until its answer.
final class HeldReceipt: Sendable {
    let digest: Digest
    /// The app that the receipt names; empty without one.
    let bundle: BundleID
    /// The user in the request; nil without one, or where the request is not trusted.
    let user: UserID?
    let bytes: Int
    private let receipt: Mutex<HandedReceipt?>

    init(_ receipt: HandedReceipt, from user: UserID?) {
        digest = receipt.digest
        bundle = receipt.bundle ?? ""
        self.user = user
        bytes = receipt.size
        self.receipt = Mutex(receipt.compact)
    }

    /// Nil when it was taken before.
    func take() -> HandedReceipt? {
        receipt.withLock { receipt in
            defer { receipt = nil }
            return receipt
        }
    }

    /// `unsigned` when it was taken. There is no content of a receipt that Apple did not sign.
    func trust(
        by asking: Asking, _ signed: SignedPurchases, now: Instant
    ) -> (ReceiptTrust, SignedContent?) {
        receipt.withLock { receipt in
            switch receipt {
            case nil: return (.unsigned, nil)
            case .signed(let purchase):
                let content = signed.content(of: purchase, now: now)
                return (content == nil ? .unsigned : .written, content)
            case .receipt(let receipt):
                let (trust, content) = asking.trust(in: receipt)
                let signed = content.map {
                    SignedContent(digest: $0.digest, isVariant: trust != .written)
                }
                return (trust, signed)
            }
        }
    }
}
