/// An iOS 6 transaction receipt: a property list with one purchase and a signature.
///
/// The signature is a version byte, an RSA signature over that byte and the decoded
/// `purchase-info`, and the signer's certificate after its length in four bytes. Apple never
/// documented the format; it was derived from real receipts.
struct IOS6Receipt: Equatable, Sendable {
    let info: [String: String]
    /// The unsigned fields: all but `signature` and `purchase-info`.
    let surroundings: [String: String]
    private let signature: [UInt8]
    private let signedInfo: [UInt8]

    /// Nil unless `bytes` are a property list with a readable `purchase-info`.
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

    /// The time of the purchase or restore, which is also the time of signing.
    var purchasedAt: Instant? {
        info["purchase-date-ms"].flatMap { Int64($0) }.map { Instant(milliseconds: $0) }
    }

    /// Apple writes no other fields around the signature. Their values are anybody's to choose.
    var hasAppleForm: Bool {
        surroundings.keys.allSatisfy { Self.fieldsAround.contains($0) }
    }

    var contentDigest: Digest { Digest.sha256(signedInfo) }

    private static let fieldsAround: Set = ["environment", "pod", "signing-status"]

    /// Verifies the signature. Returns the signer's certificate in DER.
    func verifiedSigner(_ keys: PublicKeys) throws(SignatureError) -> ArraySlice<UInt8> {
        guard let version = signature.first else { throw SignatureError(.unsigned) }
        guard let size = Self.signatureBytes[version] else {
            throw SignatureError(.algorithmUnsupported)
        }
        let lengthEnd = 1 + size + 4
        guard signature.count > lengthEnd else { throw SignatureError(.unreadable) }
        let length = signature[1 + size..<lengthEnd].reduce(0) { $0 << 8 | Int($1) }
        guard length == signature.count - lengthEnd else { throw SignatureError(.unreadable) }
        let certificate = signature[lengthEnd...]
        let key = try keys.key(ofCertificate: certificate)
        let message = [version] + signedInfo
        try key.verifySHA1(signature[1..<1 + size], of: message[...])
        return certificate
    }

    /// Signature size by version: RSA of 1,024 and of 2,048 bits.
    private static let signatureBytes: [UInt8: Int] = [2: 128, 3: 256]
}
