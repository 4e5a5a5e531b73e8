@testable import AppStoreSimulator
@testable import Reconcile

/// Receipts in the structure of Apple's: PKCS#7 SignedData around a set of attributes, without
/// signatures.
enum ReceiptForge {
    static let tlv = DERWriter.element

    /// BER: an indefinite length, closed by an end-of-contents.
    static func indefinite(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x80] + content + [0, 0]
    }

    static let text = DERWriter.utf8

    /// An object identifier under 1.2.840.113549.1.
    static func pkcs(_ numbers: UInt8...) -> [UInt8] {
        tlv(6, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01] + numbers)
    }

    static func payload(
        bundle: String? = "acme", environment: String? = "Production", serial: String = "1"
    ) -> [UInt8] {
        var attributes = PayloadForge.attribute(4, Array(serial.utf8))
        if let environment { attributes += PayloadForge.attribute(0, text(environment)) }
        if let bundle { attributes += PayloadForge.attribute(2, text(bundle)) }
        return tlv(0x31, attributes)
    }

    static func receipt(_ payload: [UInt8], isBER: Bool = false) -> [UInt8] {
        signedData(payload, cutAt: isBER ? 7 : nil)
    }

    /// - Parameter place: where the content is cut into two pieces, with indefinite lengths.
    static func signedData(
        _ payload: [UInt8], cutAt place: Int?, digests: [UInt8] = [],
        _ signatures: [UInt8] = tlv(0x31, [])
    ) -> [UInt8] {
        let wrap = place == nil ? tlv : indefinite
        let pieces = place.map { [payload.prefix($0), payload.dropFirst($0)] }
        let octets = pieces.map { wrap(0x24, $0.flatMap { tlv(4, Array($0)) }) } ?? tlv(4, payload)
        let content = wrap(0x30, pkcs(7, 1) + wrap(0xA0, octets))
        let signed = wrap(0x30, [2, 1, 1] + tlv(0x31, digests) + content + signatures)
        return wrap(0x30, pkcs(7, 2) + wrap(0xA0, signed))
    }

    static func base64(
        bundle: String? = "acme", environment: String? = "Production", serial: String = "1"
    ) -> String {
        let payload = payload(bundle: bundle, environment: environment, serial: serial)
        return String(decoding: Base64.encode(receipt(payload)), as: UTF8.self)
    }
}

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
        let text = ReceiptForge.text
        let attributes = [
            (0, text(environment)), (2, text(bundle)), (3, text(version)), (4, opaque),
            (5, deviceHash), (12, Self.date(createdAt)),
        ]
        return Self.set(attributes + purchases.map { (17, $0) }, others)
    }

    private static func set(_ attributes: [(Int, [UInt8])], _ others: [UInt8] = []) -> [UInt8] {
        ReceiptForge.tlv(0x31, attributes.flatMap { attribute($0, $1) } + others)
    }

    static func attribute(_ type: Int, _ value: [UInt8]) -> [UInt8] {
        let tlv = ReceiptForge.tlv
        let number = type < 0x80 ? [UInt8(type)] : [UInt8(type >> 8), UInt8(type & 0xFF)]
        return tlv(0x30, tlv(2, number) + [2, 1, 1] + tlv(4, value))
    }

    static let date = DERWriter.ia5

    /// The value of attribute 17. An empty date is present with length zero.
    static func purchase(
        _ product: String = "pro.monthly", id: String = "1001", at: String = "2024-05-01T00:00:00Z",
        expires: String = "2024-06-01T00:00:00Z", cancelled: String = "", kind: UInt8 = 3
    ) -> [UInt8] {
        let id = ReceiptForge.text(id)
        return set([
            (1_701, [2, 1, 1]), (1_702, ReceiptForge.text(product)), (1_703, id),
            (1_704, date(at)), (1_705, id), (1_706, date(at)), (1_707, [2, 1, kind]),
            (1_708, date(expires)), (1_712, date(cancelled)), (1_722, [2, 1, 0]),
        ])
    }
}
