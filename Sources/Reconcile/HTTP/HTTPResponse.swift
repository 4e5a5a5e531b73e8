/// A whole answer, of any status.
///
/// "Whole" is as far as the transport can tell: libcurl 7.88 takes a truncated gzip stream for a
/// complete one, and a head cut short for one without a body. Only the body's own grammar proves
/// that nothing is missing.
struct HTTPResponse: Sendable {
    let status: Int
    /// Decompressed.
    let body: [UInt8]
    /// The raw value of every `Retry-After` line, in order; for `RetryAfter`.
    let retryAfter: [String]
    /// The raw `Date` line, the server's own clock: beside a `Retry-After`, or where the
    /// configuration wants it.
    let date: String?
    /// The raw `Deprecation` and `Sunset` lines of the first answer over each handle: a server says
    /// so in every answer, or in none.
    let deprecation: String?
    let sunset: String?
    /// The server's name for the request, from the first of the header lines that the configuration
    /// names; nil when there is none, or it is not a short word of letters, digits and hyphens.
    let requestID: String?
}
