/// Two attributes of an app receipt. The signature is not checked, so they are not trusted.
struct ReceiptContainer: Equatable {
    /// Attribute 0, for example `Production`, `ProductionSandbox` or `Xcode`.
    private(set) var environment: String?
    private(set) var bundle: String?

    /// Nil unless the content is a set with at least one attribute: code signatures, detached ones
    /// and provisioning profiles are SignedData, too.
    init?(_ signed: SignedData) {
        guard var attributes = try? AttributeReader(signed.content),
            let first = try? attributes.next()
        else { return nil }
        take(first)
        // Whatever damage follows, Apple decides what the receipt is worth.
        while environment == nil || bundle == nil, let attribute = try? attributes.next() {
            take(attribute)
        }
    }

    init?(_ bytes: [UInt8]) {
        guard let signed = try? SignedData(bytes) else { return nil }
        self.init(signed)
    }

    private mutating func take(_ attribute: ReceiptAttribute) {
        switch attribute.type {
        case 0: environment = attribute.text
        case 2: bundle = attribute.text
        default: break
        }
    }
}
