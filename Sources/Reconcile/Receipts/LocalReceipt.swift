/// What is stored as a receipt, found without asking Apple.
enum LocalReceipt: Equatable, Sendable {
    /// A whole PKCS#7 SignedData with a receipt's attributes, or an iOS 6 property list.
    case sendable(SendableReceipt)
    /// Text that looks like a JSON Web Signature of StoreKit 2, without white space around it.
    case signed([UInt8])
    /// The id of a transaction, by which the App Store Server API finds its customer.
    case transaction(TransactionID)
    case unusable(Unusable)

    init(_ data: ReceiptData) {
        self =
            data.text.firstReading(Self.recognized) ?? Self.other(data.text)
    }

    /// Of the receipt after repair, or of the text; nil for what is unusable.
    var digest: Digest? {
        switch self {
        case .sendable(let receipt): receipt.digest
        case .signed(let text): Digest.sha256(text)
        case .transaction(let id): Digest.sha256(Array(id.text.utf8))
        case .unusable: nil
        }
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
        return isSigned(decoded.bytes[...]) ? .signed(decoded.bytes) : nil
    }

    private static func other(_ text: [UInt8]) -> LocalReceipt {
        let text = text.trimmed { $0 <= 0x20 }
        if text.isEmpty { return .unusable(.empty) }
        if isSigned(text) { return .signed(Array(text)) }
        let isID = text.count <= 20 && text.allSatisfy(\.isDigit) && text != [0x30]
        return isID
            ? .transaction(TransactionID(String(decoding: text, as: UTF8.self)))
            : .unusable(.notAReceipt)
    }

    /// Whether `text` looks like a JSON Web Signature: three parts, the first being base64 of `{"`.
    private static func isSigned(_ text: ArraySlice<UInt8>) -> Bool {
        text.starts(with: "eyJ".utf8) && text.count(where: { $0 == UInt8(ascii: ".") }) == 2
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
