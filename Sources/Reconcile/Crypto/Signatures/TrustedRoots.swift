internal import CCrypto

/// Pinned certificates. A chain ends in a self-signed one; others may be intermediates.
package struct TrustedRoots: Equatable, Sendable {
    package let certificates: [[UInt8]]

    /// - Parameter certificates: in DER. Certificates that libcrypto cannot parse are not trusted.
    package init(_ certificates: [[UInt8]]) { self.certificates = certificates }

    /// Builds the chain from `signer` to a root through `others`, at `seconds` since 1970.
    ///
    /// The key purpose is not checked, because Apple's signers are not S/MIME certificates;
    /// instead, the caller checks `markers`, dotted object identifiers. SHA-1 is accepted: until
    /// 2023 Apple used nothing else.
    ///
    /// Every other certificate in `others` must also lead to a root, at any time: a changed one
    /// must not go unnoticed. A root in `others` need not, because the pinned one replaces it.
    func chain(
        from signer: ArraySlice<UInt8>, among others: [ArraySlice<UInt8>], at seconds: Int64,
        markers: [String]
    ) throws(SignatureError) -> CertificateChain {
        defer { ERR_clear_error() }
        let search = try ChainSearch(certificates, signer: signer, among: others)
        let chain = try search.chain(at: seconds, markers: markers)
        for other in others
        where other != signer && !certificates.contains(where: { $0[...] == other }) {
            guard lead(other, among: others) else { throw SignatureError(.strayCertificate) }
        }
        return chain
    }

    private func lead(_ certificate: ArraySlice<UInt8>, among others: [ArraySlice<UInt8>]) -> Bool {
        guard let search = try? ChainSearch(certificates, signer: certificate, among: others) else {
            return false
        }
        return search.isFound
    }
}
