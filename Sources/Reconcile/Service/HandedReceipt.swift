/// What a client hands in to be validated. Prints as `‹redacted›`.
enum HandedReceipt: Equatable, Sendable {
    case receipt(SendableReceipt)
    case signed(SignedPurchase)

    /// Nil for text that is neither.
    init?(_ data: ReceiptData, by signed: SignedPurchases) {
        switch LocalReceipt(data) {
        case .sendable(let receipt): self = .receipt(receipt)
        case .signed(let text):
            guard let purchase = signed.purchase(in: text) else { return nil }
            self = .signed(purchase)
        // Anybody can write down the id of a transaction.
        case .transaction, .unusable: return nil
        }
    }

    /// The name of its stored validation.
    var digest: Digest {
        switch self {
        case .receipt(let receipt): receipt.digest
        case .signed(let purchase): .sha256(purchase.text)
        }
    }

    /// In bytes.
    var size: Int {
        switch self {
        case .receipt(let receipt): receipt.bytes.count
        case .signed(let purchase): purchase.text.count
        }
    }

    /// The app that it names; nil without one.
    var bundle: BundleID? {
        switch self {
        case .receipt(let receipt): receipt.bundle
        case .signed(let purchase): purchase.bundle
        }
    }

    /// As it is stored.
    var data: ReceiptData {
        switch self {
        case .receipt(let receipt): ReceiptData(text: receipt.base64)
        case .signed(let purchase): ReceiptData(text: purchase.text)
        }
    }

    /// In as few bytes as possible.
    var compact: HandedReceipt {
        switch self {
        case .receipt(let receipt): .receipt(receipt.compact)
        case .signed: self
        }
    }

    /// Nil for a signed transaction.
    var sendable: SendableReceipt? {
        if case .receipt(let receipt) = self { receipt } else { nil }
    }

    /// The transactions that it names itself. A customer has more.
    var ownTransactions: Set<TransactionID> {
        switch self {
        case .receipt(let receipt):
            guard case .app(_, let payload?)? = SignedReceipt(receipt.bytes) else { return [] }
            return Set(payload.purchases.compactMap(\.transaction))
        case .signed(let purchase): return Set([purchase.transaction].compactMap(\.self))
        }
    }
}

extension HandedReceipt: CustomStringConvertible, CustomReflectable {
    var description: String { "‹redacted›" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
