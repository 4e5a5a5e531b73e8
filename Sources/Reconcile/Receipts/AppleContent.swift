/// What Apple signed in a receipt.
struct AppleContent: Equatable, Sendable {
    /// Of the signed bytes, whatever is around them.
    let digest: Digest
    /// Whether all bytes are as Apple writes them, without anything that no signature covers.
    let isWhole: Bool
}

extension AppleSignature {
    /// Nil unless Apple signed the receipt.
    func content(of receipt: SendableReceipt) -> AppleContent? {
        guard let signed = SignedReceipt(receipt.bytes), let chain = try? chain(of: signed) else {
            return nil
        }
        switch signed {
        case .app(let signed, _):
            return AppleContent(
                digest: Digest.sha256(signed.content),
                isWhole: signed.hasAppleForm(withChainOf: chain.names))
        case .iOS6(let list):
            return AppleContent(digest: list.contentDigest, isWhole: list.hasAppleForm)
        }
    }
}
