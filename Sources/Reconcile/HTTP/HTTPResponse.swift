/// A complete answer of any status.
///
/// Complete as far as the transport can tell: libcurl 7.88 accepts a truncated gzip stream, and a
/// truncated head as an answer without a body. Only parsing the body shows that nothing is missing.
struct HTTPResponse: Sendable {
    let status: Int
    /// Decompressed.
    let body: [UInt8]
    /// The value of every `Retry-After` header, in order, for `RetryAfter`.
    let retryAfter: [String]
    /// The `Date` header, which is the server's clock; read with a `Retry-After`, or if the
    /// configuration asks for it.
    let date: String?
    /// The `Deprecation` and `Sunset` headers of the first answer on each handle: a server sends
    /// them in every answer or in none.
    let deprecation: String?
    let sunset: String?
    /// The server's request id, from the first header that the configuration names. Nil when there
    /// is none, or when it is not a short word of letters, digits and hyphens.
    let requestID: String?
}
