/// One attribute of a receipt's payload, still as Apple encoded it.
///
/// Source: Apple, "Validating receipts on the device"; the types that Apple does not document are
/// known from receipts.
package struct ReceiptAttribute: Equatable, Sendable {
    package let type: Int64
    /// For most types one DER element; for 4 to 7 and some others plain bytes.
    let value: ArraySlice<UInt8>

    /// The value as text: UTF8String, IA5String or PrintableString. Nil for anything else.
    var text: String? {
        var reader = DERReader(value)
        guard let element = try? reader.next() else { return nil }
        return try? reader.string(element)
    }

    /// The value as a whole number. Nil for anything else.
    var integer: Int64? {
        var reader = DERReader(value)
        guard let element = try? reader.next() else { return nil }
        return try? reader.integer(element)
    }
}

extension ReceiptAttribute {
    /// A value for a reader.
    package enum Value: Equatable, Sendable {
        /// A date of no length, by which Apple says that there is none.
        case absent
        case text(String)
        case integer(Int64)
        /// Whatever is no text and no number, in lower-case hexadecimal.
        case bytes(String)
    }

    package var shown: Value {
        if !Self.plainBytes.contains(type), DERReader(value).holdsOneElement {
            if let text { return text.isEmpty && Self.dates.contains(type) ? .absent : .text(text) }
            if let integer { return .integer(integer) }
        }
        return .bytes(value.hexadecimal)
    }

    /// What verifyReceipt calls it where it has a word for it, else ours; nil for an unknown type.
    package var name: String? { Self.names[type] }

    private static let plainBytes: ClosedRange<Int64> = 4...7
    private static let dates: Set<Int64> = [8, 12, 18, 21, 1_704, 1_706, 1_708, 1_712]

    private static let names: [Int64: String] = [
        0: "receipt_type", 1: "adam_id", 2: "bundle_id", 3: "application_version",
        4: "opaque_value", 5: "device_hash", 10: "age_rating", 11: "developer_id",
        12: "receipt_creation_date", 15: "download_id", 16: "version_external_identifier",
        17: "in_app", 18: "original_purchase_date", 19: "original_application_version",
        21: "expiration_date",
        1_701: "quantity", 1_702: "product_id", 1_703: "transaction_id", 1_704: "purchase_date",
        1_705: "original_transaction_id", 1_706: "original_purchase_date", 1_707: "product_type",
        1_708: "expires_date", 1_710: "product_adam_id", 1_711: "web_order_line_item_id",
        1_712: "cancellation_date", 1_713: "is_trial_period", 1_719: "is_in_intro_offer_period",
        1_721: "promotional_offer_id",
    ]
}

extension DERReader {
    fileprivate var holdsOneElement: Bool {
        var reader = self
        guard let first = try? reader.next() else { return false }
        return !first.isConstructed && reader.isAtEnd
    }
}

extension Collection<UInt8> {
    /// Two lower-case digits a byte.
    var hexadecimal: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(count * 2)
        for byte in self {
            for digit in [byte >> 4, byte & 15] {
                digits.append(
                    digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a"))
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }
}
