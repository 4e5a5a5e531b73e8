/// An iOS 6 transaction receipt: a property list with one purchase, and a signature of its own
/// form.
///
/// The signature is a version byte, an RSA signature over that byte and the decoded
/// `purchase-info`, and the signer's certificate preceded by its length in four bytes. Apple never
/// documented it; it is known from receipts.
struct IOS6Receipt: Equatable, Sendable {
    /// The fields of `purchase-info`.
    let info: [String: String]
    /// The fields around it, `signature` and `purchase-info` aside.
    let surroundings: [String: String]
    private let signature: [UInt8]
    private let signedInfo: [UInt8]

    /// Nil unless `bytes` are such a list with a readable `purchase-info`.
    init?(_ bytes: [UInt8]) {
        guard let list = PropertyList(bytes), let encoded = list.values["purchase-info"],
            let signedInfo = Base64.decode(Array(encoded.utf8))?.bytes,
            let info = PropertyList(signedInfo)
        else { return nil }
        self.info = info.values
        self.signedInfo = signedInfo
        surroundings = list.values.filter { $0.key != "signature" && $0.key != "purchase-info" }
        signature =
            list.values["signature"].flatMap { Base64.decode(Array($0.utf8))?.bytes } ?? []
    }

    /// Of the transaction: such a receipt was signed when something was bought or restored.
    var purchasedAt: Instant? {
        info["purchase-date-ms"].flatMap { Int64($0) }.map { Instant(milliseconds: $0) }
    }

    /// The certificate whose key made the signature, in DER.
    func verifiedSigner() throws(SignatureError) -> ArraySlice<UInt8> {
        guard let version = signature.first else { throw SignatureError(.unsigned) }
        guard let size = Self.signatureBytes[version] else {
            throw SignatureError(.algorithmUnsupported)
        }
        let lengthEnd = 1 + size + 4
        guard signature.count > lengthEnd else { throw SignatureError(.unreadable) }
        let length = signature[1 + size..<lengthEnd].reduce(0) { $0 << 8 | Int($1) }
        guard length == signature.count - lengthEnd else { throw SignatureError(.unreadable) }
        let certificate = signature[lengthEnd...]
        let key = try PublicKey(ofCertificate: certificate)
        let message = [version] + signedInfo
        try key.verifySHA1(signature[1..<1 + size], of: message[...])
        return certificate
    }

    /// By version: RSA of 1,024 and of 2,048 bits.
    private static let signatureBytes: [UInt8: Int] = [2: 128, 3: 256]
}
