/// One object of `pending_renewal_info`, or the same keys at the top of an iOS 6 answer.
struct RenewalLine {
    /// Missing in answers of 2017; then `productID` says which chain is meant.
    var originalTransactionID: JSONText?
    var productID: JSONText?
    var renewsAs: JSONText?
    var willRenew: Bool?
    var expirationIntent: Int?
    var isInBillingRetry: Bool?
    var gracePeriod = DateLine()

    var isEmpty: Bool {
        willRenew == nil && renewsAs == nil && expirationIntent == nil && isInBillingRetry == nil
    }

    /// Reads the value of `key` if it is one of ours; tells whether it was, and reads nothing else.
    mutating func read(
        _ key: JSONText, from scanner: inout JSONScanner
    ) throws(JSONError) -> Bool {
        let bytes = scanner.bytes
        switch key.count {
        case 10 where key.equals("product_id", in: bytes):
            productID = try scanner.scalar().text
        case 17 where key.equals("auto_renew_status", in: bytes):
            willRenew = try scanner.scalar().flag(in: bytes)
        case 17 where key.equals("expiration_intent", in: bytes):
            expirationIntent = try scanner.scalar().integer(in: bytes)
        case 21 where key.equals("auto_renew_product_id", in: bytes):
            renewsAs = try scanner.scalar().text
        case 23 where key.equals("original_transaction_id", in: bytes):
            originalTransactionID = try scanner.scalar().text
        case 25 where key.equals("grace_period_expires_date", in: bytes):
            gracePeriod.text = try scanner.scalar().text
        case 26 where key.equals("is_in_billing_retry_period", in: bytes):
            isInBillingRetry = try scanner.scalar().flag(in: bytes)
        case 28 where key.equals("grace_period_expires_date_ms", in: bytes):
            gracePeriod.milliseconds = try scanner.scalar().text
        default: return false
        }
        return true
    }

    func renewal(
        of originalID: TransactionID, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Renewal {
        var gracePeriodExpiresAt: Instant?
        if case .instant(let instant) = gracePeriod.reading(in: bytes) {
            gracePeriodExpiresAt = instant
        }
        return Renewal(
            originalID: originalID, willRenew: willRenew,
            renewsAs: renewsAs.map { ProductID($0.string(in: bytes)) },
            expirationIntent: expirationIntent.map(ExpirationIntent.init(code:)),
            isInBillingRetry: isInBillingRetry ?? false,
            gracePeriodExpiresAt: gracePeriodExpiresAt)
    }
}

extension Renewal {
    /// One entry of two for the same chain, whatever their order: what keeps access longest wins.
    func merged(with other: Renewal) -> Renewal {
        Renewal(
            originalID: originalID,
            willRenew: willRenew == true || other.willRenew == true
                ? true : willRenew ?? other.willRenew,
            renewsAs: [renewsAs, other.renewsAs].compactMap(\.self).max(),
            expirationIntent: [expirationIntent, other.expirationIntent].compactMap(\.self)
                .max { $0.rawValue < $1.rawValue },
            isInBillingRetry: isInBillingRetry || other.isInBillingRetry,
            gracePeriodExpiresAt: [gracePeriodExpiresAt, other.gracePeriodExpiresAt]
                .compactMap(\.self).max())
    }
}
