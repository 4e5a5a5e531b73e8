struct SignatureError: Error, Equatable {
    enum Reason: Equatable, Sendable {
        case unsigned
        /// The signer info or a certificate cannot be parsed.
        case unreadable
        case severalSigners(Int)
        /// The certificate that the signature names is not in the file.
        case certificateMissing
        /// A digest, key or signature algorithm that libcrypto does not support.
        case algorithmUnsupported
        /// The signature is of other bytes or by another key.
        case doesNotFit
        /// The signer's certificate lacks the marker extension for receipts.
        case wrongPurpose
        /// An issuer's certificate is neither in the file nor among the trusted ones.
        case issuerMissing
        /// The chain does not end in a trusted root; the text is libcrypto's.
        case untrusted(String)
        /// A certificate outside the chain leads to no trusted root: it was changed or added.
        case strayCertificate
        /// There is no signing time, so certificates cannot be checked.
        case undated
        case notValidThen(String)
    }

    let reason: Reason

    init(_ reason: Reason) { self.reason = reason }

    /// Whether the bytes must have been changed after signing. False when nothing was compared.
    var provesTampering: Bool { reason == .doesNotFit }
}

extension SignatureError: CustomStringConvertible {
    var description: String { reason.inWords + ". Get the receipt from the app again." }
}

extension SignatureError.Reason {
    var inWords: String {
        switch self {
        case .unsigned: "it is not signed"
        case .unreadable: "its signature or a certificate is damaged"
        case .severalSigners(let count): "it has \(count) signatures, where Apple's have one"
        case .certificateMissing: "the certificate that its signature names is not in it"
        case .algorithmUnsupported: "its signature is of a kind that cannot be checked here"
        case .doesNotFit: "its signature does not fit its bytes, so they were changed"
        case .wrongPurpose:
            "its signer's certificate is not one for receipts (no 1.2.840.113635.100.6.11.1)"
        case .issuerMissing:
            "its certificates do not lead to a trusted root (one above them is missing)"
        case .untrusted(let why): "its certificates do not lead to a trusted root (\(why))"
        case .strayCertificate:
            "a certificate that came with it leads to no trusted root, so it was changed or added"
        case .undated: "it does not say when it was made"
        case .notValidThen(let why): "its certificates were not valid when it was made (\(why))"
        }
    }
}
