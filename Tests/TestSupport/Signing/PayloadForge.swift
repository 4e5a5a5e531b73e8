/// Payloads with the attributes of Apple's receipts, encoded in DER.
struct PayloadForge: Sendable {
    var bundle = "acme"
    var environment = "Production"
    var version = "7"
    var createdAt = "2024-05-06T07:08:09Z"
    /// Attributes 4 and 5.
    var opaque: [UInt8] = [1, 2, 3, 4]
    var deviceHash: [UInt8] = Array(repeating: 9, count: 20)
    var purchases: [[UInt8]] = []
    /// Complete attributes that come last.
    var others: [UInt8] = []

    var encoded: [UInt8] {
        let body =
            Self.attribute(0, ReceiptForge.text(environment))
            + Self.attribute(2, ReceiptForge.text(bundle))
            + Self.attribute(3, ReceiptForge.text(version)) + Self.attribute(4, opaque)
            + Self.attribute(5, deviceHash) + Self.attribute(12, Self.date(createdAt))
            + purchases.flatMap { Self.attribute(17, $0) } + others
        return ReceiptForge.tlv(0x31, body)
    }

    static func attribute(_ type: Int, _ value: [UInt8]) -> [UInt8] {
        let number: [UInt8] =
            type < 0x80 ? [UInt8(type)] : [UInt8(type >> 8), UInt8(type & 0xFF)]
        return ReceiptForge.tlv(
            0x30, ReceiptForge.tlv(2, number) + [2, 1, 1] + ReceiptForge.tlv(4, value))
    }

    /// IA5String.
    static func date(_ text: String) -> [UInt8] { ReceiptForge.tlv(0x16, Array(text.utf8)) }

    /// The value of attribute 17. An empty date is present with length zero.
    static func purchase(
        _ product: String = "pro.monthly", id: String = "1001", at: String = "2024-05-01T00:00:00Z",
        expires: String = "2024-06-01T00:00:00Z", cancelled: String = "", kind: UInt8 = 3
    ) -> [UInt8] {
        ReceiptForge.tlv(
            0x31,
            attribute(1_701, [2, 1, 1]) + attribute(1_702, ReceiptForge.text(product))
                + attribute(1_703, ReceiptForge.text(id)) + attribute(1_704, date(at))
                + attribute(1_705, ReceiptForge.text(id)) + attribute(1_706, date(at))
                + attribute(1_707, [2, 1, kind]) + attribute(1_708, date(expires))
                + attribute(1_712, date(cancelled)) + attribute(1_722, [2, 1, 0]))
    }
}
