/// Why a signature proves nothing. Says nothing of what is signed.
struct SignatureError: Error, Equatable {
    enum Reason: Equatable, Sendable {
        /// There is no signature at all.
        case unsigned
        /// Signer or certificate cannot be read.
        case unreadable
        /// More signatures than there may be.
        case severalSigners(Int)
        /// The certificate that the signature names is not in the file.
        case certificateMissing
        /// A digest, key or kind of signature that libcrypto does not offer.
        case algorithmUnsupported
        /// The signature was made for other bytes, or with another key.
        case doesNotFit
        /// The signer's certificate is not meant for this: it lacks the marker.
        case wrongPurpose
        /// The certificate above another is neither in the file nor among the trusted ones.
        case issuerMissing
        /// No chain of certificates leads to a trusted root; libcrypto's words.
        case untrusted(String)
        /// A certificate that stands beside the chain leads to no trusted root: it was changed, or
        /// added by somebody else.
        case strayCertificate
        /// Nothing says when it was made, so that no certificate can be judged.
        case undated
        /// A certificate of the chain was not valid at the time asked about.
        case notValidThen(String)
    }

    let reason: Reason

    init(_ reason: Reason) { self.reason = reason }

    /// Whether the bytes cannot be as somebody signed them. False where there is nothing to
    /// compare, or nothing to compare it with: that speaks for nobody and against nobody.
    var speaksAgainstBytes: Bool {
        switch reason {
        case .unreadable, .certificateMissing, .doesNotFit: true
        case .unsigned, .severalSigners, .algorithmUnsupported, .wrongPurpose, .issuerMissing,
            .untrusted, .strayCertificate, .undated, .notValidThen:
            false
        }
    }
}

extension SignatureError: CustomStringConvertible {
    var description: String { reason.inWords + ". Get the receipt anew from the app." }
}

extension SignatureError.Reason {
    /// A sentence without its end.
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
