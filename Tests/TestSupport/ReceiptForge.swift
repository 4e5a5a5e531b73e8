@testable import Reconcile

/// Receipts in the structure of Apple's: PKCS#7 SignedData around a set of attributes, without
/// signatures.
enum ReceiptForge {
    static func tlv(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        switch count {
        case 0..<0x80: return [tag, UInt8(count)] + content
        case 0x80..<0x100: return [tag, 0x81, UInt8(count)] + content
        default: return [tag, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)] + content
        }
    }

    /// BER: an indefinite length, closed by an end-of-contents.
    static func indefinite(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x80] + content + [0, 0]
    }

    static func attribute(_ type: UInt8, _ value: [UInt8]) -> [UInt8] {
        tlv(0x30, tlv(2, [type]) + tlv(2, [1]) + tlv(4, value))
    }

    static func text(_ text: String) -> [UInt8] { tlv(0x0C, Array(text.utf8)) }

    static func payload(
        bundle: String? = "acme", environment: String? = "Production", serial: String = "1"
    ) -> [UInt8] {
        var attributes = attribute(4, Array(serial.utf8))
        if let environment { attributes += attribute(0, text(environment)) }
        if let bundle { attributes += attribute(2, text(bundle)) }
        return tlv(0x31, attributes)
    }

    static func receipt(_ payload: [UInt8], isBER: Bool = false) -> [UInt8] {
        let wrap = isBER ? indefinite : tlv
        let octets =
            isBER
            ? indefinite(
                0x24, tlv(4, Array(payload.prefix(7))) + tlv(4, Array(payload.dropFirst(7))))
            : tlv(4, payload)
        let data = tlv(6, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01])
        let signedData = tlv(6, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02])
        let content = wrap(0x30, data + wrap(0xA0, octets))
        let signed = wrap(0x30, tlv(2, [1]) + tlv(0x31, []) + content + tlv(0x31, []))
        return wrap(0x30, signedData + wrap(0xA0, signed))
    }

    static func base64(
        bundle: String? = "acme", environment: String? = "Production", serial: String = "1"
    ) -> [UInt8] {
        Base64.encode(
            receipt(payload(bundle: bundle, environment: environment, serial: serial)))
    }
}
