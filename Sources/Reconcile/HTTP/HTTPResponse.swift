/// A complete answer of any status, as far as the transport can tell: libcurl 7.88 accepts a
/// truncated gzip stream, and a truncated head as an answer without a body.
struct HTTPResponse: Sendable {
    let status: Int
    /// Decompressed.
    let body: [UInt8]
    /// The value of every `Retry-After` header, in order, for `RetryAfter`.
    let retryAfter: [String]
    /// The server's clock; read with a `Retry-After`, or if the configuration asks for it.
    let date: String?
    /// `Deprecation` and `Sunset` of a handle's first answer: a server sends them always or never.
    let deprecation: String?
    let sunset: String?
    /// The server's request id, from the first header that the configuration names. Nil unless it
    /// is a short word of letters, digits and hyphens.
    let requestID: String?
}
