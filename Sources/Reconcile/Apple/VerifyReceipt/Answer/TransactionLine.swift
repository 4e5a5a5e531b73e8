/// One object of `in_app`, `latest_receipt_info` or an iOS 6 `receipt`, as references into the
/// answer's bytes, so that two entries of one transaction can be merged key by key before parsing.
///
/// A useless value (null, an empty string, an array for an id) counts as absent. A date of a wrong
/// type is `.container`: it makes the entry a parse anomaly.
struct TransactionLine {
    static let keys = AnswerKey.transactionID.rawValue...AnswerKey.isIntroductoryOffer.rawValue

    /// The object in the answer; nil for an iOS 6 `receipt`.
    var object: JSONObject?
    private var values = InlineArray<22, JSONValue>(repeating: .absent)

    subscript(key: AnswerKey) -> JSONValue {
        values[Int(key.rawValue - Self.keys.lowerBound)]
    }

    mutating func take(
        _ value: JSONValue, of code: UInt8, in bytes: UnsafeBufferPointer<UInt8>
    ) {
        guard Self.keys.contains(code) else { return }
        let index = Int(code - Self.keys.lowerBound)
        switch code {
        case AnswerKey.purchaseDateMS.rawValue...AnswerKey.cancellationDate.rawValue:
            if value.isText {
                values[index] = value
            } else if value.isOdd {
                values[index] = JSONValue(.container)
            }
        case AnswerKey.isUpgraded.rawValue...:
            if let flag = value.flag(in: bytes) {
                values[index] = JSONValue(flag ? .true : .false)
            }
        default:
            if value.isText { values[index] = value }
        }
    }

    /// Takes every value that `other` has, key by key.
    mutating func take(_ other: TransactionLine) {
        let others = other.values.span
        for index in values.indices {
            let value = others[index]
            if value.isAbsent || value.kind == .container && !values[index].isAbsent { continue }
            values[index] = value
        }
    }

    func hasSameContent(
        as other: TransactionLine, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let others = other.values.span
        return values.indices.allSatisfy { values[$0].isSame(as: others[$0], in: bytes) }
    }

    func date(_ date: DateKeys, in bytes: UnsafeBufferPointer<UInt8>) -> DateReading {
        let milliseconds = self[date.milliseconds]
        let text = self[date.text]
        let formatted = date.formatted.map { self[$0] } ?? .absent
        return DateReading(milliseconds, text, formatted, in: bytes)
    }
}

struct DateKeys {
    let milliseconds: AnswerKey
    let text: AnswerKey
    /// `…_date_formatted`: iOS 6, where `expires_date` itself holds milliseconds.
    var formatted: AnswerKey?

    static let purchase = DateKeys(milliseconds: .purchaseDateMS, text: .purchaseDate)
    static let expires = DateKeys(
        milliseconds: .expiresDateMS, text: .expiresDate, formatted: .expiresDateFormatted)
    static let originalPurchase = DateKeys(
        milliseconds: .originalPurchaseDateMS, text: .originalPurchaseDate)
    static let cancellation = DateKeys(
        milliseconds: .cancellationDateMS, text: .cancellationDate)
}

extension JSONValue {
    fileprivate var isOdd: Bool { kind == .true || kind == .false || kind == .container }

    fileprivate func isSame(as other: JSONValue, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard isText, other.isText else { return kind == other.kind }
        return equals(other, in: bytes)
    }
}
