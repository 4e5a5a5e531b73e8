/// Two attributes of an app receipt. The signature is not checked, so they are not trusted.
struct ReceiptContainer: Equatable {
    /// Attribute 0, for example `Production`, `ProductionSandbox` or `Xcode`.
    private(set) var environment: String?
    private(set) var bundle: String?

    /// Nil unless `bytes` are one whole SignedData.
    init?(_ bytes: [UInt8]) {
        guard let signed = try? SignedData(bytes) else { return nil }
        // A container with an unreadable payload is still sent: Apple decides what it is worth.
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
