internal import Synchronization

/// A cache of certificate chains: most receipts have the same one, and checking it costs most.
final class SignerTrust: Sendable {
    private let roots: TrustedRoots
    /// By the digest of the signer's certificate and the other certificates of the receipt.
    private let chains = Mutex<[Digest: CertificateChain]>([:])
    /// Chains that end in no trusted root, at any time.
    private let strangers = Mutex<[Digest: SignatureError]>([:])

    /// Apple has had some twenty signers; forged receipts can hold any number of chains.
    private static let mostChains = 64

    init(_ roots: TrustedRoots) { self.roots = roots }

    /// Whether Apple signed `signed` at `time`, by the checks of `inspect`.
    func isApples(_ signed: SignedData, signedAt time: Instant) -> Bool {
        do throws(SignatureError) {
            try requireAppleSigner(try signed.onlySigner(), of: signed, signedAt: time)
            return true
        } catch {
            return false
        }
    }

    /// Throws unless `signer`, whose signature on `signed` fits, was Apple's at `time`.
    func requireAppleSigner(
        _ signer: ArraySlice<UInt8>, of signed: SignedData, signedAt time: Instant
    ) throws(SignatureError) {
        let seconds = time.milliseconds / 1_000
        let chain = try chain(from: signer, among: signed.others, at: seconds)
        guard chain.signerIsMarked else { throw SignatureError(.wrongPurpose) }
    }

    private func chain(
        from signer: ArraySlice<UInt8>, among others: [ArraySlice<UInt8>], at seconds: Int64
    ) throws(SignatureError) -> CertificateChain {
        let name = Digest.sha256(Array(signer) + others.joined())
        let known = chains.withLock { $0[name] }
        // The signatures of a chain stay correct; its certificates are only valid for a time.
        if let known, known.validity.contains(seconds) { return known }
        if let stranger = strangers.withLock({ $0[name] }) { throw stranger }
        let chain: CertificateChain
        do throws(SignatureError) {
            chain = try roots.chain(
                from: signer, among: others, at: seconds, markers: [AppleSignature.marker])
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
