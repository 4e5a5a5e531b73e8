package enum ServiceAnswer: Equatable, Sendable {
    package struct Product: Equatable, Sendable {
        let remoteProduct: String
        let downloadKey: String
    }

    /// Sorted by the bytes of the remote ids.
    case ok([Product])
    case fail
    /// The receipt could not be validated; the sentence for the log says why.
    case unavailable(String)
    /// Too many requests wait for Apple already.
    case crowded

    /// The JSON body. Its bytes, blanks included, are part of the interface.
    package var bytes: [UInt8] {
        guard case .ok(let products) = self else {
            return Array(#"{"status":"fail","products":[]}"#.utf8)
        }
        let parts = products.map { product in
            #"{"product_id":"# + product.remoteProduct.jsonQuoted
                + #","download_key":"# + product.downloadKey.jsonQuoted + "}"
        }
        return Array((#"{"status":"ok","products":["# + parts.joined(separator: ",") + "]}").utf8)
    }
}

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
