internal import Synchronization

/// The keys of certificates, remembered: most receipts have the same signer, and reading its
/// certificate takes twice as long as checking a signature.
final class PublicKeys: Sendable {
    private let known = Mutex<[Digest: PublicKey]>([:])

    /// Apple has had some twenty signers; forged receipts can hold any number of certificates.
    private static let mostKeys = 64

    func key(ofCertificate certificate: ArraySlice<UInt8>) throws(SignatureError) -> PublicKey {
        let name = Digest.sha256(certificate)
        if let key = known.withLock({ $0[name] }) { return key }
        let key = try PublicKey(ofCertificate: certificate)
        known.withLock { known in
            if known.count >= Self.mostKeys { known.removeAll() }
            known[name] = key
        }
        return key
    }
}
