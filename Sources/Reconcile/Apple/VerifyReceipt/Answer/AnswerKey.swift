/// The keys of an answer that are read. The raw value is the code that `JSONScanner` returns.
enum AnswerKey: UInt8 {
    case other
    // `TransactionLine` has one slot for each of these and depends on their order: dates are
    // adjacent, flags come last.
    case transactionID, originalTransactionID, productID
    case purchaseDateMS, purchaseDate
    case expiresDateMS, expiresDate, expiresDateFormatted
    case cancellationDateMS, cancellationDate
    case cancellationReason, ownership, promotionalOffer, offerCode, bid
    case webOrderLineItem, quantity
    case isUpgraded, isTrial, isIntroductoryOffer
    case autoRenewProductID, autoRenewStatus, expirationIntent, isInBillingRetry
    case gracePeriodExpiresDateMS, gracePeriodExpiresDate
    case bundleID, inApp, originalApplicationVersion
    case requestDateMS, requestDate, receiptCreationDateMS, receiptCreationDate
    case originalPurchaseDateMS, originalPurchaseDate
    case status, environment, isRetryable, isRetryableHyphenated, exception
    case receipt, latestReceipt, latestReceiptInfo, latestExpiredReceiptInfo, pendingRenewalInfo

    static func code(of name: JSONValue, in bytes: UnsafeBufferPointer<UInt8>) -> UInt8 {
        // The raw count of a key with escapes is too large. Such keys are rare.
        let count = name.kind == .escapedString ? name.resolved(in: bytes).count : name.count
        guard count < starts.count - 1 else { return AnswerKey.other.rawValue }
        for index in starts[count]..<starts[count + 1]
        where name.equals(byLength[index].name, in: bytes) {
            return byLength[index].key.rawValue
        }
        return AnswerKey.other.rawValue
    }

    private static let byLength = spellings.sorted {
        $0.name.utf8CodeUnitCount < $1.name.utf8CodeUnitCount
    }

    /// The first index in `byLength` for each length; the last element is the end of `byLength`.
    private static let starts: [Int] = {
        let longest = byLength.last?.name.utf8CodeUnitCount ?? 0
        return (0...longest + 1).map { length in
            byLength.firstIndex { $0.name.utf8CodeUnitCount >= length } ?? byLength.count
        }
    }()

    private static let spellings: [(name: StaticString, key: AnswerKey)] = [
        ("transaction_id", .transactionID), ("original_transaction_id", .originalTransactionID),
        ("product_id", .productID),
        ("purchase_date_ms", .purchaseDateMS), ("purchase_date", .purchaseDate),
        ("expires_date_ms", .expiresDateMS), ("expires_date", .expiresDate),
        ("expires_date_formatted", .expiresDateFormatted),
        ("cancellation_date_ms", .cancellationDateMS), ("cancellation_date", .cancellationDate),
        ("cancellation_reason", .cancellationReason), ("in_app_ownership_type", .ownership),
        ("promotional_offer_id", .promotionalOffer), ("offer_code_ref_name", .offerCode),
        ("bid", .bid), ("web_order_line_item_id", .webOrderLineItem), ("quantity", .quantity),
        ("is_upgraded", .isUpgraded), ("is_trial_period", .isTrial),
        ("is_in_intro_offer_period", .isIntroductoryOffer),
        ("auto_renew_product_id", .autoRenewProductID), ("auto_renew_status", .autoRenewStatus),
        ("expiration_intent", .expirationIntent),
        ("is_in_billing_retry_period", .isInBillingRetry),
        ("grace_period_expires_date_ms", .gracePeriodExpiresDateMS),
        ("grace_period_expires_date", .gracePeriodExpiresDate),
        ("bundle_id", .bundleID), ("in_app", .inApp),
        ("original_application_version", .originalApplicationVersion),
        ("request_date_ms", .requestDateMS), ("request_date", .requestDate),
        ("receipt_creation_date_ms", .receiptCreationDateMS),
        ("receipt_creation_date", .receiptCreationDate),
        ("original_purchase_date_ms", .originalPurchaseDateMS),
        ("original_purchase_date", .originalPurchaseDate),
        ("status", .status), ("environment", .environment), ("is_retryable", .isRetryable),
        ("is-retryable", .isRetryableHyphenated), ("exception", .exception),
        ("receipt", .receipt), ("latest_receipt", .latestReceipt),
        ("latest_receipt_info", .latestReceiptInfo),
        ("latest_expired_receipt_info", .latestExpiredReceiptInfo),
        ("pending_renewal_info", .pendingRenewalInfo),
    ]
}
