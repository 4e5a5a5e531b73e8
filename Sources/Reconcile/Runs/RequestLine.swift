/// One request to Apple, for the log at level debug.
package struct RequestLine: Hashable, Sendable {
    var receipt: ReceiptID?
    var server: AppleServer
    /// From 1, over both servers.
    var attempt: Int
    var httpStatus: Int?
    var status: Int?
    var duration: Duration
    /// The size of the answer body, decompressed.
    var bytes: Int
    /// Apple's id of the request, which its support asks for.
    var requestID: String?
    var failure: String?
}
