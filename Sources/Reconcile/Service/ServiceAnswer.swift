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
