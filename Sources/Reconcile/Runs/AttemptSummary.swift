/// The calls for one receipt and the result of the last one.
struct AttemptSummary: Hashable, Sendable {
    var count = 0
    var lastStatus: Int?
    var lastHTTPStatus: Int?
    /// One line for an engineer, without secrets or receipt data.
    var detail: String?
    var answeredAt: Instant?
    /// The server that was asked last.
    var server: AppleServer?
}
