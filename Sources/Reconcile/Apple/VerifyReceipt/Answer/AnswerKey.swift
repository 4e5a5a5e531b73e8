/// The keys of an answer that are read. The raw value is the code that `JSONScanner` returns.
enum AnswerKey: UInt8 {
    case other
    // `TransactionLine` has one slot for each of these and depends on their order: dates are
    // adjacent, flags come last.
    case transactionID, originalTransactionID, productID
    case purchaseDateMS, purchaseDate
    case expiresDateMS, expiresDate, expiresDateFormatted
    case originalPurchaseDateMS, originalPurchaseDate
    case cancellationDateMS, cancellationDate
    case cancellationReason, ownership, promotionalOffer, offerCode, bid
    case webOrderLineItem, quantity
    case isUpgraded, isTrial, isIntroductoryOffer
    case autoRenewProductID, autoRenewStatus, expirationIntent, isInBillingRetry
    case gracePeriodExpiresDateMS, gracePeriodExpiresDate
    case bundleID, inApp, originalApplicationVersion
    case requestDateMS, requestDate, receiptCreationDateMS, receiptCreationDate
    case status, environment, isRetryable, isRetryableHyphenated, exception
    case receipt, latestReceipt, latestReceiptInfo, latestExpiredReceiptInfo, pendingRenewalInfo

    static func code(of name: JSONValue, in bytes: UnsafeBufferPointer<UInt8>) -> UInt8 {
        guard name.kind == .escapedString else { return code(of: name.raw(in: bytes)) }
        return name.resolved(in: bytes).withUnsafeBufferPointer(code(of:))
    }

    private static func code(of name: UnsafeBufferPointer<UInt8>) -> UInt8 {
        var slot = slot(of: name)
        while slots[slot] >= 0 {
            let spelling = spellings[Int(slots[slot])]
            if name.hasSameBytes(as: spelling.name.bytes) { return spelling.key.rawValue }
            slot = (slot + 1) % slotCount
        }
        return AnswerKey.other.rawValue
    }

    /// A hash table of indexes into `spellings`; -1 is free.
    private static let slots: [Int8] = {
        var slots = [Int8](repeating: -1, count: slotCount)
        for index in spellings.indices {
            var slot = slot(of: spellings[index].name.bytes)
            while slots[slot] >= 0 { slot = (slot + 1) % slotCount }
            slots[slot] = Int8(index)
        }
        return slots
    }()

    /// So many that nearly every key finds its slot, or a free one, at once.
    private static let slotCount = 256

    private static func slot(of name: UnsafeBufferPointer<UInt8>) -> Int {
        Int(simpleHash(UnsafeRawBufferPointer(name))) % slotCount
    }

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

extension StaticString {
    fileprivate var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}
