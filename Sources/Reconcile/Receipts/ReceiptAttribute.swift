/// One attribute of a receipt's payload. Source: Apple, "Validating receipts on the device". The
/// types that Apple does not document were derived from real receipts.
struct ReceiptAttribute: Equatable, Sendable {
    let type: Int64
    /// One DER element for most types; plain bytes for types 4 to 7 and some others.
    let value: ArraySlice<UInt8>

    /// The value of a UTF8String, IA5String or PrintableString; else nil.
    var text: String? {
        var reader = DERReader(value)
        guard let element = try? reader.next() else { return nil }
        return try? reader.string(element)
    }

    var integer: Int64? {
        var reader = DERReader(value)
        guard let element = try? reader.next() else { return nil }
        return try? reader.integer(element)
    }
}

extension ReceiptAttribute {
    enum Value: Equatable, Sendable {
        /// An empty date: Apple's encoding of "no date".
        case absent
        case text(String)
        case integer(Int64)
        /// Any other value, in lower-case hexadecimal.
        case bytes(String)
    }

    var shown: Value {
        if !Self.plainBytes.contains(type), DERReader(value).holdsOneElement {
            if let text { return text.isEmpty && Self.dates.contains(type) ? .absent : .text(text) }
            if let integer { return .integer(integer) }
        }
        return .bytes(value.hexadecimal)
    }

    /// verifyReceipt's key, else a name of our own; nil for an unknown type.
    var name: String? { Self.names[type] }

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
