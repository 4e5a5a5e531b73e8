package enum KeyAnswer: Equatable, Sendable {
    package enum Refusal: String, Sendable {
        case expired, forged, revoked
        case unknownKey = "unknown_key"
    }

    /// - Parameter remoteProduct: the asset that may be served.
    case ok(DownloadKey, remoteProduct: String)
    case fail(Refusal)
    case unavailable(String)

    package var bytes: [UInt8] {
        switch self {
        case .ok(let key, _):
            let parts = [
                ("status", "ok"), ("product_key", key.productKey),
                ("receipt_sha256", key.receipt.hexadecimal),
                ("environment", key.environment.rawValue),
                ("expires_at", "\(key.expiresAt)"),
            ].map { #""\#($0)":"# + $1.jsonQuoted }
            return Array(("{" + parts.joined(separator: ",") + "}").utf8)
        case .fail(let refusal):
            return Array(#"{"status":"fail","reason":"\#(refusal.rawValue)"}"#.utf8)
        case .unavailable: return Array(#"{"status":"fail","reason":"unavailable"}"#.utf8)
        }
    }
}
