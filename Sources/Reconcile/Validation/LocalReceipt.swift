/// What a stored receipt is, found out without asking Apple (SPEC §2.1).
enum LocalReceipt: Equatable, Sendable {
    /// Worth sending: a whole PKCS#7 SignedData or an iOS 6 property list.
    case sendable(SendableReceipt)
    case unusable(Unusable)

    init(_ data: ReceiptData) {
        self =
            Self.recognized(data.text) ?? Self.recognizedWithoutSpaces(data.text)
            ?? .unusable(Self.reason(data.text))
    }

    private static func recognized(_ text: [UInt8]) -> LocalReceipt? {
        SendableReceipt(text).flatMap(recognized)
    }

    /// Text that was wrapped with spaces instead of line breaks.
    private static func recognizedWithoutSpaces(_ text: [UInt8]) -> LocalReceipt? {
        text.contains(0x20) ? recognized(text.filter { $0 != 0x20 }) : nil
    }

    /// Why `text`, which is none of what Apple takes, is not sent.
    private static func reason(_ text: [UInt8]) -> Unusable {
        guard !text.allSatisfy({ $0 <= 0x20 }) else { return .empty }
        return isSignedTransaction(text) ? .jws : .notAReceipt
    }

    private static func recognized(_ receipt: SendableReceipt) -> LocalReceipt? {
        if let container = ReceiptContainer(receipt.bytes) {
            guard container.environment != "Xcode" else { return .unusable(.xcode) }
            return .sendable(receipt.naming(container.bundle.map { BundleID($0) }))
        }
        if let list = PropertyList(receipt.bytes), let info = list.values["purchase-info"] {
            return .sendable(receipt.naming(Self.bundle(inPurchaseInfo: info)))
        }
        return isSignedTransaction(receipt.bytes) ? .unusable(.jws) : nil
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

/// A receipt in the form in which it is sent. Prints as `‹redacted›`.
struct SendableReceipt: Equatable, Sendable {
    /// What the base64 stands for.
    let bytes: [UInt8]
    /// Standard alphabet, padded, in one line: Apple answers 21002 to anything else.
    let base64: [UInt8]
    /// The app that the receipt itself names, as far as it can be read here.
    private(set) var bundle: BundleID?

    /// Nil when `text` is no base64, even after repair.
    init?(_ text: [UInt8]) {
        guard let decoded = Base64.decode(text) else { return nil }
        bytes = decoded.bytes
        base64 = decoded.isCanonical ? text : Base64.encode(decoded.bytes)
    }

    fileprivate func naming(_ bundle: BundleID?) -> SendableReceipt {
        var receipt = self
        receipt.bundle = bundle
        return receipt
    }
}

extension SendableReceipt: CustomStringConvertible, CustomReflectable {
    var description: String { "‹redacted›" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
