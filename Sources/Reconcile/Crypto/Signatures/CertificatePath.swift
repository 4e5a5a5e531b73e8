internal import CCrypto

/// A signer's certificate, the one that issued it, and the trusted root above them.
///
/// Times are not checked: the path stays the same, and its certificates are valid for a time. Nor
/// is whether a certificate was revoked, for which an authority would have to be asked.
struct CertificatePath: Sendable {
    /// Whether the second certificate issued the first.
    enum Link: Equatable, Sendable {
        case issued
        /// By name, key identifier or signature.
        case issuedByAnother
        /// The second one may not issue certificates.
        case notAnAuthority
    }

    let leafIsMarked: Bool
    let issuerIsMarked: Bool
    let link: Link
    /// Why no trusted root issued the second certificate, or why libcrypto refuses the path of all
    /// three; nil when it accepts it.
    let rootFailure: SignatureError.Reason?
    /// Subject names in RFC 2253 form: leaf, issuer, root. Empty without a trusted root.
    let names: [String]
    /// When both certificates are valid, in seconds since 1970. Nil when they never are.
    let validity: ClosedRange<Int64>?
    /// The key of the leaf.
    let key: PublicKey

    var isTrusted: Bool {
        leafIsMarked && issuerIsMarked && link == .issued && rootFailure == nil
    }

    /// - Parameters:
    ///   - leaf: in DER, as `issuer`.
    ///   - markers: object identifiers of the extensions that the two must have, with dots.
    init(
        from leaf: ArraySlice<UInt8>, by issuer: ArraySlice<UInt8>, to roots: TrustedRoots,
        leafMarker: String, issuerMarker: String
    ) throws(SignatureError) {
        defer { ERR_clear_error() }
        key = try PublicKey(ofCertificate: leaf)
        guard let first = Certificate.parsed(leaf) else { throw SignatureError(.unreadable) }
        defer { X509_free(first) }
        guard let second = Certificate.parsed(issuer) else { throw SignatureError(.unreadable) }
        defer { X509_free(second) }
        leafIsMarked = Certificate.isMarked(first, leafMarker)
        issuerIsMarked = Certificate.isMarked(second, issuerMarker)
        validity = Self.common(Certificate.validity(first), Certificate.validity(second))
        do throws(SignatureError) {
            names = try ChainSearch(roots.certificates, signer: leaf, among: [issuer])
                .namesOfThree()
            rootFailure = nil
            // The path includes it, and a signature of P-384 costs a third of all this.
            link = .issued
        } catch {
            names = []
            rootFailure = error.reason
            link = Self.link(of: first, to: second)
        }
    }

    private static func link(of leaf: OpaquePointer, to issuer: OpaquePointer) -> Link {
        guard X509_check_issued(issuer, leaf) == X509_V_OK,
            X509_verify(leaf, X509_get0_pubkey(issuer)) == 1
        else { return .issuedByAnother }
        return X509_check_ca(issuer) == 1 ? .issued : .notAnAuthority
    }

    private static func common(
        _ one: ClosedRange<Int64>?, _ other: ClosedRange<Int64>?
    ) -> ClosedRange<Int64>? {
        guard let one, let other, one.overlaps(other) else { return nil }
        return one.clamped(to: other)
    }
}
