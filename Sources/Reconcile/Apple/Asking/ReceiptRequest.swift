/// A receipt to ask Apple about. Equal requests share one call; the app is not compared, because
/// only its secret is sent.
struct ReceiptRequest: Hashable, Sendable {
    let receipt: SendableReceipt
    let bundle: BundleID
    let secret: SharedSecret?
    /// Whether the service has this app. A receipt alone proves nothing: it can name any app.
    var isOfOwnApp = true

    /// The key of the answer in evidence: SHA-256 over the receipt as sent, a line feed and the
    /// bundle. The secret is not part of it: no table holds the secret in any form.
    var digest: [UInt8] {
        var stream = DigestStream()
        receipt.base64.withUnsafeBytes { stream.update($0) }
        Array("\n\(bundle.text)".utf8).withUnsafeBytes { stream.update($0) }
        return stream.finish().bytes
    }

    var receiptDigest: Digest { Digest.sha256(receipt.bytes) }

    static func == (left: Self, right: Self) -> Bool {
        left.receipt.bytes == right.receipt.bytes && left.secret == right.secret
    }

    func hash(into hasher: inout Hasher) { hasher.combine(receipt.bytes) }

    /// The same request, kept for long in fewer bytes.
    var compact: ReceiptRequest {
        ReceiptRequest(
            receipt: receipt.compact, bundle: bundle, secret: secret, isOfOwnApp: isOfOwnApp)
    }
}
