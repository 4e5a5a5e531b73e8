/// Writes the part of DER that receipts need.
enum DERWriter {
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31
    /// Context tag 0, constructed.
    static let context0: UInt8 = 0xA0
    static let null: [UInt8] = [0x05, 0x00]

    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        if count < 0x80 { return [tag, UInt8(count)] + content }
        var length: [UInt8] = []
        var rest = count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    static func integer(_ value: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        repeat {
            bytes.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        } while rest != 0
        // The top bit is the sign.
        if bytes[0] & 0x80 != 0 { bytes.insert(0, at: 0) }
        return element(0x02, bytes)
    }

    static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }

    static func objectIdentifier(_ encoded: [UInt8]) -> [UInt8] { element(0x06, encoded) }

    static func utf8(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }

    /// IA5String, which Apple uses for dates.
    static func ia5(_ text: String) -> [UInt8] { element(0x16, Array(text.utf8)) }
}
