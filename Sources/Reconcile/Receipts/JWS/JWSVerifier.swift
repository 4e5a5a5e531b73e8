internal import Synchronization

/// The one proof that Apple signed a JWS: everything that depends on it asks this.
///
/// It is signed with ES256 by the first of its three certificates; the second one issued the first,
/// one of the roots issued the second, both have Apple's markers, and both were valid when it was
/// signed. The third certificate is not compared: Apple does not always send the root. Revocation
/// of certificates is not looked up, which would take a request.
///
/// The certificates are in the header, which all JWS of one chain share, so headers are remembered:
/// checking one costs more than thirty signatures. So are paths, because anybody can write another
/// header around Apple's certificates. Only trusted ones are remembered.
package final class JWSVerifier: Sendable {
    private let roots: TrustedRoots
    /// Compared byte by byte, which takes a tenth of the time of a digest.
    private let headers = Mutex<[KnownHeader]>([])
    /// By the digest of the first two certificates.
    private let paths = Mutex<[Digest: CertificatePath]>([:])

    private struct KnownHeader {
        /// In base64url.
        let text: [UInt8]
        let path: CertificatePath
    }

    /// Apple uses a handful.
    private static let mostPaths = 64

    package init(_ roots: TrustedRoots) { self.roots = roots }

    /// OID of the extension in Apple's certificates that sign receipts, also in the form of a JWS.
    static let leafMarker = "1.2.840.113635.100.6.11.1"
    /// OID of the extension in the certificates of Apple Worldwide Developer Relations.
    static let intermediateMarker = "1.2.840.113635.100.6.2.1"

    /// - Parameter now: when the certificates must be valid if the payload has no date.
    func verification(of jws: JWS, now: Instant) -> JWSVerification {
        let signedAt = jws.payload.signedAt
        var result = JWSVerification(at: signedAt == .absent ? now : signedAt.instant)
        guard let path = path(of: jws.header, &result) else { return result }
        result.certificates = path.names
        result.note(.time, path.timeFailure(at: result.instant))
        if result.has(.algorithm) {
            result.note(.signature, jws.signatureFailure(with: path.key))
        }
        return result
    }

    /// Nil unless the certificates are trusted.
    private func path(
        of header: ArraySlice<UInt8>, _ result: inout JWSVerification
    ) -> CertificatePath? {
        let known = headers.withLock { known in
            known.first { $0.text[...].hasSameBytes(as: header) }?.path
        }
        if let known {
            result.pass(.algorithm)
            result.passCertificates()
            return known
        }
        guard let parsed = JWSHeader(header) else {
            result.fail(.algorithm, "its header is not a JSON object")
            return nil
        }
        result.note(.algorithm, parsed.algorithmFailure)
        guard let path = path(of: parsed, &result) else { return nil }
        if result.has(.algorithm) {
            headers.withLock { known in
                if known.count >= Self.mostPaths { known.removeAll() }
                known.append(KnownHeader(text: Array(header), path: path))
            }
        }
        return path
    }

    private func path(of header: JWSHeader, _ result: inout JWSVerification) -> CertificatePath? {
        let certificates: [[UInt8]]
        do throws(CertificatesMissing) {
            certificates = try header.threeCertificates()
        } catch {
            result.fail(.certificates, error.reason)
            return nil
        }
        let name = Digest.sha256(certificates[..<2].flatMap { Digest.sha256($0).bytes })
        if let known = paths.withLock({ $0[name] }) {
            result.passCertificates()
            return known
        }
        guard
            let path = try? CertificatePath(
                from: certificates[0][...], by: certificates[1][...], to: roots,
                leafMarker: Self.leafMarker, issuerMarker: Self.intermediateMarker)
        else {
            result.fail(.certificates, JWSHeader.damaged.reason)
            return nil
        }
        result.pass(.certificates)
        result.note(path)
        guard path.isTrusted else { return nil }
        paths.withLock { known in
            if known.count >= Self.mostPaths { known.removeAll() }
            known[name] = path
        }
        return path
    }
}

extension JWSVerification {
    fileprivate mutating func passCertificates() {
        for check in [JWSCheck.certificates, .leafMarker, .chain, .intermediateMarker, .root] {
            pass(check)
        }
    }

    fileprivate mutating func note(_ path: CertificatePath) {
        note(
            .leafMarker,
            path.leafIsMarked
                ? nil
                : "its signer's certificate is not one for this (no \(JWSVerifier.leafMarker))")
        note(.chain, path.link.failure)
        note(
            .intermediateMarker,
            path.issuerIsMarked
                ? nil
                : "the second certificate is not Apple's for developers"
                    + " (no \(JWSVerifier.intermediateMarker))")
        note(.root, path.rootFailure?.inWords)
    }
}

extension CertificatePath.Link {
    fileprivate var failure: String? {
        switch self {
        case .issued: nil
        case .issuedByAnother: "the second certificate did not issue the first"
        case .notAnAuthority: "the second certificate may not issue others"
        }
    }
}

extension CertificatePath {
    fileprivate func timeFailure(at instant: Instant?) -> String? {
        guard let instant else { return "the date of its signature is not an instant" }
        // Rounded down, also before 1970.
        let seconds = Duration.milliseconds(instant.milliseconds).components.seconds
        guard let validity, validity.contains(seconds) else {
            return "its certificates were not valid at \(instant)"
        }
        return nil
    }
}

extension JWSHeader {
    fileprivate var algorithmFailure: String? {
        if let forbidden {
            return "its header has \(forbidden), by which anybody could sign"
        }
        guard algorithm == "ES256" else {
            return algorithm.map { "its algorithm is \($0), not ES256" } ?? "it names no algorithm"
        }
        return nil
    }

    fileprivate func threeCertificates() throws(CertificatesMissing) -> [[UInt8]] {
        guard let certificates else {
            throw CertificatesMissing(reason: "its header has no list of certificates (x5c)")
        }
        guard certificates.count == 3 else {
            throw CertificatesMissing(reason: "it has \(certificates.count) certificates, not 3")
        }
        let decoded = try certificates.map { text throws(CertificatesMissing) in
            guard let der = Base64.decode(text), der.isCanonical else { throw Self.damaged }
            return der.bytes
        }
        // The path needs only the first two, and says itself whether they are readable.
        guard Certificate.isReadable(decoded[2][...]) else { throw Self.damaged }
        return decoded
    }

    fileprivate static let damaged = CertificatesMissing(
        reason: "a certificate of it is damaged, or of a kind that cannot be checked")
}

private struct CertificatesMissing: Error {
    let reason: String
}

extension JWS {
    /// ES256: r and s of 32 bytes each, not DER (RFC 7518, 3.4).
    fileprivate func signatureFailure(with key: PublicKey) -> String? {
        guard let signature else { return "its signature is not base64url" }
        guard signature.count == 64 else {
            return "its signature has \(signature.count) bytes, where one of ES256 has 64"
        }
        do throws(SignatureError) {
            try key.verifyES256(signature[...], of: signed)
            return nil
        } catch {
            return error.reason.inWords
        }
    }
}
