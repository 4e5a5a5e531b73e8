struct FindingIdentity: Hashable, Sendable {
    var kind: FindingKind
    var user: UserID?
    var entitlement: EntitlementID?
    var reference: String

    /// The first 32 hexadecimal digits of SHA-256 over the four parts, each after its length in
    /// bytes as eight bytes big-endian: different parts never give the same input.
    var id: String {
        let parts = [kind.rawValue, user?.text ?? "", entitlement?.text ?? "", reference]
        let bytes = parts.flatMap { part in
            withUnsafeBytes(of: UInt64(part.utf8.count).bigEndian, Array.init) + Array(part.utf8)
        }
        return String(Digest.sha256(bytes).hexadecimal.prefix(32))
    }
}
