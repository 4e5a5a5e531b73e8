/// One object of `in_app`, `latest_receipt_info` or an iOS 6 `receipt` as it was sent: every value
/// still in the answer's bytes, so that two lines of one transaction are merged key by key before
/// anything is believed.
struct TransactionLine {
    var transactionID: JSONText?
    var originalTransactionID: JSONText?
    var productID: JSONText?
    var purchaseDate = DateLine()
    var expiresDate = DateLine()
    var cancellationDate = DateLine()
    var cancellationReason: JSONText?
    var ownership: JSONText?
    var promotionalOffer: JSONText?
    var offerCode: JSONText?
    var isUpgraded: Bool?
    var isTrial: Bool?
    var isIntroductoryOffer: Bool?
    /// `bid`: iOS 6 only.
    var bundle: JSONText?

    /// Reads the value of `key` if it is one of ours, and passes over it otherwise.
    mutating func read(
        _ key: JSONText, from scanner: inout JSONScanner
    ) throws(JSONError) {
        let value = try scanner.scalar()
        let bytes = scanner.bytes
        switch key.count {
        case 3 where key.equals("bid", in: bytes): bundle = value.text
        case 10 where key.equals("product_id", in: bytes): productID = value.text
        case 11 where key.equals("is_upgraded", in: bytes): isUpgraded = value.flag(in: bytes)
        case 12 where key.equals("expires_date", in: bytes): expiresDate.take(value, as: \.text)
        case 13 where key.equals("purchase_date", in: bytes):
            purchaseDate.take(value, as: \.text)
        case 14 where key.equals("transaction_id", in: bytes): transactionID = value.text
        case 15 where key.equals("is_trial_period", in: bytes): isTrial = value.flag(in: bytes)
        case 15 where key.equals("expires_date_ms", in: bytes):
            expiresDate.take(value, as: \.milliseconds)
        case 16 where key.equals("purchase_date_ms", in: bytes):
            purchaseDate.take(value, as: \.milliseconds)
        case 17 where key.equals("cancellation_date", in: bytes):
            cancellationDate.take(value, as: \.text)
        case 19 where key.equals("offer_code_ref_name", in: bytes): offerCode = value.text
        case 19 where key.equals("cancellation_reason", in: bytes):
            cancellationReason = value.text
        case 20 where key.equals("cancellation_date_ms", in: bytes):
            cancellationDate.take(value, as: \.milliseconds)
        case 20 where key.equals("promotional_offer_id", in: bytes):
            promotionalOffer = value.text
        case 21 where key.equals("in_app_ownership_type", in: bytes): ownership = value.text
        case 22 where key.equals("expires_date_formatted", in: bytes):
            expiresDate.take(value, as: \.formatted)
        case 23 where key.equals("original_transaction_id", in: bytes):
            originalTransactionID = value.text
        case 24 where key.equals("is_in_intro_offer_period", in: bytes):
            isIntroductoryOffer = value.flag(in: bytes)
        default: break
        }
    }

    /// Takes every value that `other` has: SPEC §3, "key by key, the latter winning".
    mutating func take(_ other: TransactionLine) {
        transactionID = other.transactionID ?? transactionID
        originalTransactionID = other.originalTransactionID ?? originalTransactionID
        productID = other.productID ?? productID
        purchaseDate.take(other.purchaseDate)
        expiresDate.take(other.expiresDate)
        cancellationDate.take(other.cancellationDate)
        cancellationReason = other.cancellationReason ?? cancellationReason
        ownership = other.ownership ?? ownership
        promotionalOffer = other.promotionalOffer ?? promotionalOffer
        offerCode = other.offerCode ?? offerCode
        isUpgraded = other.isUpgraded ?? isUpgraded
        isTrial = other.isTrial ?? isTrial
        isIntroductoryOffer = other.isIntroductoryOffer ?? isIntroductoryOffer
        bundle = other.bundle ?? bundle
    }
}

extension TransactionLine {
    /// Joins a second line of the same list and transaction. The list's order means nothing, so of
    /// two values that differ the one with the greater bytes stays.
    mutating func join(_ other: TransactionLine, in bytes: UnsafeBufferPointer<UInt8>) {
        originalTransactionID.keepGreater(other.originalTransactionID, in: bytes)
        productID.keepGreater(other.productID, in: bytes)
        purchaseDate.join(other.purchaseDate, in: bytes)
        expiresDate.join(other.expiresDate, in: bytes)
        cancellationDate.join(other.cancellationDate, in: bytes)
        cancellationReason.keepGreater(other.cancellationReason, in: bytes)
        ownership.keepGreater(other.ownership, in: bytes)
        promotionalOffer.keepGreater(other.promotionalOffer, in: bytes)
        offerCode.keepGreater(other.offerCode, in: bytes)
        isUpgraded.keepTrue(other.isUpgraded)
        isTrial.keepTrue(other.isTrial)
        isIntroductoryOffer.keepTrue(other.isIntroductoryOffer)
        bundle.keepGreater(other.bundle, in: bytes)
    }
}

extension JSONText? {
    fileprivate mutating func keepGreater(
        _ other: JSONText?, in bytes: UnsafeBufferPointer<UInt8>
    ) {
        guard let other else { return }
        guard let own = self else {
            self = other
            return
        }
        if own.raw(in: bytes).lexicographicallyPrecedes(other.raw(in: bytes)) { self = other }
    }
}

extension Bool? {
    fileprivate mutating func keepTrue(_ other: Bool?) {
        self = self == true || other == true ? true : self ?? other
    }
}

/// One instant in the forms that Apple sends side by side.
struct DateLine {
    /// `…_ms`.
    var milliseconds: JSONText?
    /// `…_date`.
    var text: JSONText?
    /// `…_date_formatted`: iOS 6, where `expires_date` itself is milliseconds.
    var formatted: JSONText?

    /// A key holds something that cannot be an instant: `true`, an array, an object.
    private var isOdd = false

    mutating func take(_ value: JSONScalar, as form: WritableKeyPath<DateLine, JSONText?>) {
        switch value {
        case .boolean, .container: isOdd = true
        case .string, .number, .null: self[keyPath: form] = value.text
        }
    }

    mutating func take(_ other: DateLine) {
        isOdd = isOdd || other.isOdd
        milliseconds = other.milliseconds ?? milliseconds
        text = other.text ?? text
        formatted = other.formatted ?? formatted
    }

    fileprivate mutating func join(
        _ other: DateLine, in bytes: UnsafeBufferPointer<UInt8>
    ) {
        isOdd = isOdd || other.isOdd
        milliseconds.keepGreater(other.milliseconds, in: bytes)
        text.keepGreater(other.text, in: bytes)
        formatted.keepGreater(other.formatted, in: bytes)
    }

    enum Reading: Equatable {
        case absent, unreadable
        case instant(Instant)
    }

    func reading(in bytes: UnsafeBufferPointer<UInt8>) -> Reading {
        if let milliseconds,
            let instant = AppleTimestamp.instant(milliseconds: milliseconds.raw(in: bytes))
        {
            return .instant(instant)
        }
        for text in [text, formatted] {
            // Apple may write the slash of `Etc/GMT` as `\/`.
            guard let text else { continue }
            let spelled = text.isEscaped ? Array(text.string(in: bytes).utf8)[...] : nil
            let instant =
                spelled.flatMap { AppleTimestamp.instant(text: $0) }
                ?? AppleTimestamp.instant(text: text.raw(in: bytes))
            if let instant { return .instant(instant) }
        }
        let isAbsent = milliseconds == nil && text == nil && formatted == nil && !isOdd
        return isAbsent ? .absent : .unreadable
    }
}

extension JSONScalar {
    /// The text of a string or number. Nil for null, an empty string and anything else: a missing
    /// value wins over nothing.
    var text: JSONText? {
        switch self {
        case .string(let text): text.isEmpty ? nil : text
        case .number(let text): text
        case .boolean, .null, .container: nil
        }
    }

    /// `true`, `"true"`, `1`, `"1"` and their opposites; nil for anything else.
    func flag(in bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
        if case .boolean(let flag) = self { return flag }
        guard let text else { return nil }
        if text.equals("true", in: bytes) || text.equals("1", in: bytes) { return true }
        if text.equals("false", in: bytes) || text.equals("0", in: bytes) { return false }
        return nil
    }

    /// A whole number, or its digits in a string; nothing like `+5`, `1e3` or ` 5`.
    func integer(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let text, text.raw(in: bytes).first != UInt8(ascii: "+") else { return nil }
        return Int(text.string(in: bytes))
    }
}
