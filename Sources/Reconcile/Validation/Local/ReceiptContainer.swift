/// The PKCS#7 SignedData that an app receipt is, and the two attributes of its payload that decide
/// what to do with it. Nothing in it is believed: the signature is not checked.
struct ReceiptContainer: Equatable {
    /// Attribute 0, for example `Production`, `ProductionSandbox` or `Xcode`.
    private(set) var environment: String?
    /// Attribute 2.
    private(set) var bundle: String?

    /// Nil unless `bytes` hold one whole SignedData.
    init?(_ bytes: [UInt8]) {
        guard let signed = try? SignedData(bytes) else { return nil }
        // A container is a container whatever is in it: Apple shall say what it is worth.
        try? readAttributes(of: signed.content)
    }

    private mutating func readAttributes(of payload: ArraySlice<UInt8>) throws(DERError) {
        var attributes = try AttributeReader(payload)
        while environment == nil || bundle == nil, let attribute = try attributes.next() {
            switch attribute.type {
            case 0: environment = attribute.text
            case 2: bundle = attribute.text
            default: break
            }
        }
    }
}
