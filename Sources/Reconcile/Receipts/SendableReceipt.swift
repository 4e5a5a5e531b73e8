/// A receipt in the form in which it is sent. Prints as `‹redacted›`.
struct SendableReceipt: Sendable {
    /// Nil: it is made of the bytes each time.
    private let text: [UInt8]?
    let bytes: [UInt8]
    /// The app that the receipt names; nil when it cannot be read.
    let bundle: BundleID?

    init(base64: [UInt8]?, bytes: [UInt8], bundle: BundleID?) {
        text = base64
        self.bytes = bytes
        self.bundle = bundle
    }

    /// Standard alphabet, padded, in one line. Apple answers 21002 to any other form.
    var base64: [UInt8] { text ?? Base64.encode(bytes) }

    var digest: Digest { Digest.sha256(bytes) }

    /// Less than half as many bytes, for a receipt that is kept for long.
    var compact: SendableReceipt {
        SendableReceipt(base64: nil, bytes: bytes, bundle: bundle)
    }
}

extension SendableReceipt: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        left.bytes == right.bytes && left.bundle == right.bundle
    }
}

extension SendableReceipt: CustomStringConvertible, CustomReflectable {
    var description: String { "‹redacted›" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
