/// The form of a stored receipt, found without asking Apple.
enum LocalReceipt: Equatable, Sendable {
    /// A whole PKCS#7 SignedData with a receipt's attributes, or an iOS 6 property list.
    case sendable(SendableReceipt)
    case unusable(Unusable)

    init(_ data: ReceiptData) {
        self =
            data.text.firstReading(Self.recognized) ?? .unusable(Self.reason(data.text))
    }

    /// Nil when `text` is not base64, even after repair, or decodes to nothing known.
    private static func recognized(_ text: [UInt8]) -> LocalReceipt? {
        guard let decoded = Base64.decode(text) else { return nil }
        func sendable(naming bundle: BundleID?) -> LocalReceipt {
            let base64 = decoded.isCanonical ? text : Base64.encode(decoded.bytes)
            return .sendable(
                SendableReceipt(base64: base64, bytes: decoded.bytes, bundle: bundle))
        }
        if let container = ReceiptContainer(decoded.bytes) {
            guard container.environment != "Xcode" else { return .unusable(.xcode) }
            return sendable(naming: container.bundle.map { BundleID($0) })
        }
        if let list = PropertyList(decoded.bytes), let info = list.values["purchase-info"] {
            return sendable(naming: bundle(inPurchaseInfo: info))
        }
        return isSignedTransaction(decoded.bytes) ? .unusable(.jws) : nil
    }

    private static func reason(_ text: [UInt8]) -> Unusable {
        guard !text.allSatisfy({ $0 <= 0x20 }) else { return .empty }
        return isSignedTransaction(text) ? .jws : .notAReceipt
    }

    /// Whether `text` looks like a JSON Web Signature: three parts, the first being base64 of `{"`.
    private static func isSignedTransaction(_ text: [UInt8]) -> Bool {
        let text = text.trimmed { $0 <= 0x20 }
        return text.starts(with: "eyJ".utf8)
            && text.count(where: { $0 == UInt8(ascii: ".") }) == 2
    }

    private static func bundle(inPurchaseInfo info: String) -> BundleID? {
        Base64.decode(Array(info.utf8)).flatMap { PropertyList($0.bytes) }
            .flatMap { $0.values["bid"].map { BundleID($0) } }
    }
}

extension [UInt8] {
    /// The first result of `read` for the meanings of spaces: as they are, where `Base64` takes
    /// inner ones as `+`; then all as `+`, also at the end; then as line breaks.
    func firstReading<Reading>(_ read: ([UInt8]) -> Reading?) -> Reading? {
        if let reading = read(self) { return reading }
        guard contains(0x20) else { return nil }
        return read(map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }) ?? read(filter { $0 != 0x20 })
    }
}
