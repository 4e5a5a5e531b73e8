/// The PKCS#7 SignedData that an app receipt is, walked to its end, and the two attributes of its
/// payload that decide what to do with it. Nothing in it is believed: the signature is not checked.
///
/// Source: RFC 2315, 9.1; the attribute types are Apple's, "Validating receipts on the device".
struct ReceiptContainer: Equatable {
    /// Attribute 0, for example `Production`, `ProductionSandbox` or `Xcode`.
    private(set) var environment: String?
    /// Attribute 2.
    private(set) var bundle: String?

    /// Nil unless `bytes` hold one whole SignedData.
    init?(_ bytes: [UInt8]) {
        do throws(DERError) {
            guard let payload = try Self.payload(of: DERReader(bytes)) else { return nil }
            // A container is a container whatever is in it: Apple shall say what it is worth.
            try? readAttributes(of: DERReader(payload))
        } catch {
            return nil
        }
    }

    /// Walks ContentInfo → SignedData to the signer infos. Returns what is signed; empty if absent.
    private static func payload(of file: DERReader) throws(DERError) -> ArraySlice<UInt8>? {
        var file = file
        guard let info = try file.next(), info.isUniversal(.sequence) else { return nil }
        var fields = file.inside(info)
        guard let type = try fields.next(), type.isUniversal(.objectIdentifier),
            file.bytes[type.content].elementsEqual(signedDataType),
            let explicit = try fields.next(), explicit.isContext(0)
        else { return nil }
        var wrapper = fields.inside(explicit)
        guard let signed = try wrapper.next(), signed.isUniversal(.sequence) else { return nil }

        var parts = wrapper.inside(signed)
        guard let version = try parts.next(), version.isUniversal(.integer),
            let digests = try parts.next(), digests.isUniversal(.set),
            let content = try parts.next(), content.isUniversal(.sequence)
        else { return nil }
        var last: DERElement?
        while let part = try parts.next() { last = part }
        guard let last, last.isUniversal(.set) else { return nil }

        var inner = parts.inside(content)
        guard let innerType = try inner.next(), innerType.isUniversal(.objectIdentifier) else {
            return nil
        }
        guard let explicitContent = try inner.next() else { return [] }
        var octets = inner.inside(explicitContent)
        guard let string = try octets.next() else { return [] }
        return try octets.octets(string)
    }

    /// `SET OF SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`
    private mutating func readAttributes(of payload: DERReader) throws(DERError) {
        var payload = payload
        guard let set = try payload.next(), set.isUniversal(.set) else { return }
        var attributes = payload.inside(set)
        while environment == nil || bundle == nil, let attribute = try attributes.next() {
            var fields = attributes.inside(attribute)
            guard let type = try fields.next(), try fields.next() != nil,
                let value = try fields.next()
            else { continue }
            switch try fields.integer(type) {
            case 0: environment = try Self.text(in: fields.inside(value))
            case 2: bundle = try Self.text(in: fields.inside(value))
            default: break
            }
        }
    }

    private static func text(in value: DERReader) throws(DERError) -> String? {
        var value = value
        return try value.next().map { element throws(DERError) in try value.string(element) }
    }

    /// 1.2.840.113549.1.7.2
    private static let signedDataType: [UInt8] = [
        0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
    ]
}
