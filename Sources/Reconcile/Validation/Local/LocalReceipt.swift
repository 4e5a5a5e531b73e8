/// What a stored receipt is, found out without asking Apple (SPEC §2.1).
enum LocalReceipt: Equatable, Sendable {
    /// Worth sending: a whole PKCS#7 SignedData or an iOS 6 property list.
    case sendable(SendableReceipt)
    case unusable(Unusable)

    init(_ data: ReceiptData) {
        self =
            data.text.firstReading(Self.recognized) ?? .unusable(Self.reason(data.text))
    }

    /// Nil when `text` is no base64, even after repair, or stands for nothing that we know.
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

    /// Why `text`, which is none of what Apple takes, is not sent.
    private static func reason(_ text: [UInt8]) -> Unusable {
        guard !text.allSatisfy({ $0 <= 0x20 }) else { return .empty }
        return isSignedTransaction(text) ? .jws : .notAReceipt
    }

    /// A JSON Web Signature: three parts, of which the first is base64 of `{"`.
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
    /// What `read` makes of a text, whichever way its spaces are taken: within it for pluses, as
    /// `Base64` does; for a plus at the end too, which looks like white space around it; for the
    /// breaks of wrapped lines.
    func firstReading<Reading>(_ read: ([UInt8]) -> Reading?) -> Reading? {
        if let reading = read(self) { return reading }
        guard contains(0x20) else { return nil }
        return read(map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }) ?? read(filter { $0 != 0x20 })
    }
}

/// A receipt in the form in which it is sent. Prints as `‹redacted›`.
struct SendableReceipt: Equatable, Sendable {
    /// Standard alphabet, padded, in one line: Apple answers 21002 to anything else.
    let base64: [UInt8]
    /// The same, decoded, for the looks that are taken at it when Apple has answered.
    let bytes: [UInt8]
    /// The app that the receipt itself names, as far as it can be read here.
    let bundle: BundleID?
}

extension SendableReceipt: CustomStringConvertible, CustomReflectable {
    var description: String { "‹redacted›" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
