internal import Synchronization

/// The one proof that Apple signed a receipt: everything that depends on it asks this.
///
/// The signature fits the bytes; the chain of certificates ends in a trusted root and was valid
/// when the receipt was made; the signer has Apple's marker. Without the marker, any developer's
/// certificate under the same authority would pass.
///
/// Chains are remembered: most receipts have the same one, and checking it costs most.
package final class AppleSignature: Sendable {
    private let roots: TrustedRoots
    private let keys = PublicKeys()
    /// By the digest of the signer's certificate and the other certificates of the receipt.
    private let chains = Mutex<[Digest: CertificateChain]>([:])
    /// Chains that end in no trusted root, at any time.
    private let strangers = Mutex<[Digest: SignatureError]>([:])

    /// Apple has had some twenty signers; forged receipts can hold any number of chains.
    private static let mostChains = 64

    package init(_ roots: TrustedRoots) { self.roots = roots }

    /// The certificates from Apple's signer to the root. Throws unless Apple signed `receipt`.
    func chain(of receipt: SignedReceipt) throws(SignatureError) -> CertificateChain {
        let (signer, others) = try receipt.verifiedSigner(keys)
        guard let time = receipt.signedAt else { throw SignatureError(.undated) }
        let chain = try chain(
            from: signer, among: others, at: time.milliseconds / 1_000, receipt.markers)
        guard chain.signerIsMarked else { throw SignatureError(.wrongPurpose) }
        return chain
    }

    func isOn(_ receipt: SignedReceipt) -> Bool { (try? chain(of: receipt)) != nil }

    private func chain(
        from signer: ArraySlice<UInt8>, among others: [ArraySlice<UInt8>], at seconds: Int64,
        _ markers: [String]
    ) throws(SignatureError) -> CertificateChain {
        // Those of an iOS 6 receipt, with other markers, are one; those of any other at least two.
        let name = Digest.sha256(Array(signer) + others.joined())
        let known = chains.withLock { $0[name] }
        // The signatures of a chain stay correct; its certificates are only valid for a time.
        if let known, known.validity.contains(seconds) { return known }
        if let stranger = strangers.withLock({ $0[name] }) { throw stranger }
        let chain: CertificateChain
        do throws(SignatureError) {
            chain = try roots.chain(from: signer, among: others, at: seconds, markers: markers)
        } catch {
            if case .untrusted = error.reason {
                strangers.withLock { strangers in
                    if strangers.count >= Self.mostChains { strangers.removeAll() }
                    strangers[name] = error
                }
            }
            throw error
        }
        chains.withLock { chains in
            if chains.count >= Self.mostChains { chains.removeAll() }
            chains[name] = chain
        }
        return chain
    }
}

extension SignedReceipt {
    /// OID of the extension in Apple's certificates that sign receipts.
    static let marker = "1.2.840.113635.100.6.11.1"
    /// The same of the signers of iOS 6 receipts under "Apple iTunes Store Certification
    /// Authority", 2009 to 2016.
    static let oldMarker = "1.2.840.113635.100.6.5.1"

    fileprivate var markers: [String] {
        switch self {
        case .app: [Self.marker]
        case .iOS6: [Self.marker, Self.oldMarker]
        }
    }

    /// The certificate that made the signature, which fits, and all certificates beside it.
    fileprivate func verifiedSigner(_ keys: PublicKeys) throws(SignatureError) -> (
        ArraySlice<UInt8>, others: [ArraySlice<UInt8>]
    ) {
        switch self {
        case .app(let signed, _): (try signed.onlySigner(keys), signed.others)
        case .iOS6(let receipt): (try receipt.verifiedSigner(keys), [])
        }
    }
}
