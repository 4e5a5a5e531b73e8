extension SendableReceipt {
    /// The digest of what Apple signed, whatever is around it. Nil unless Apple signed it.
    func signedContent(trusting roots: TrustedRoots) -> Digest? {
        guard let receipt = try? LocatedReceipt(bytes),
            AppleSignature(of: receipt, roots: roots).chain != nil
        else { return nil }
        switch receipt.form {
        case .app(let signed, _): return Digest.sha256(signed.content)
        case .iOS6(let list): return list.contentDigest
        }
    }
}
