/// One object of `pending_renewal_info`, or the same keys at the top level of an iOS 6 answer.
struct RenewalLine {
    /// Missing in answers of 2017; then the product identifies the chain.
    var originalTransactionID: JSONValue?
    private var productID: JSONValue?
    private var renewsAs: JSONValue?
    private var willRenew: Bool?
    private var expirationIntent: Int?
    private var isInBillingRetry: Bool?
    private var gracePeriodMS = JSONValue.absent
    private var gracePeriod = JSONValue.absent

    var isEmpty: Bool {
        willRenew == nil && renewsAs == nil && expirationIntent == nil && isInBillingRetry == nil
    }

    mutating func take(
        _ value: JSONValue, of key: AnswerKey, in bytes: UnsafeBufferPointer<UInt8>
    ) {
        switch key {
        case .originalTransactionID: originalTransactionID = value.text
        case .productID: productID = value.text
        case .autoRenewProductID: renewsAs = value.text
        case .autoRenewStatus: willRenew = value.flag(in: bytes)
        case .expirationIntent: expirationIntent = value.integer(in: bytes)
        case .isInBillingRetry: isInBillingRetry = value.flag(in: bytes)
        case .gracePeriodExpiresDateMS: gracePeriodMS = value
        case .gracePeriodExpiresDate: gracePeriod = value
        default: break
        }
    }

    /// The product that the entry is about.
    var product: JSONValue? { productID ?? renewsAs }

    func renewal(
        of originalID: TransactionID, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Renewal {
        Renewal(
            originalID: originalID, willRenew: willRenew,
            renewsAs: renewsAs?.id(in: bytes),
            expirationIntent: expirationIntent.map(ExpirationIntent.init(code:)),
            isInBillingRetry: isInBillingRetry ?? false,
            gracePeriodExpiresAt: DateReading(gracePeriodMS, gracePeriod, in: bytes).instant)
    }
}
