/// A receipt in the two forms that Apple has signed, parsed. `AppleSignature` says who signed it.
enum SignedReceipt: Sendable {
    /// PKCS#7. The payload is nil when its attributes cannot be read to their end.
    case app(SignedData, ReceiptPayload?)
    case iOS6(IOS6Receipt)

    /// Nil for other bytes, and for a SignedData without a receipt's attributes.
    init?(_ bytes: [UInt8]) {
        if let signed = try? SignedData(bytes) {
            guard ReceiptContainer(signed) != nil else { return nil }
            self = .app(signed, try? ReceiptPayload(signed.content))
        } else if let receipt = IOS6Receipt(bytes) {
            self = .iOS6(receipt)
        } else {
            return nil
        }
    }

    /// When its certificates must have been valid.
    var signedAt: Instant? {
        switch self {
        case .app(_, let payload): payload?.createdAt
        case .iOS6(let receipt): receipt.purchasedAt
        }
    }
}
