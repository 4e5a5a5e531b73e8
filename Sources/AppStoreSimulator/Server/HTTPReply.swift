/// A reply in the style of Apple's servers. Those of verifyReceipt send no content type, and
/// superfluous cookies.
struct HTTPReply: Sendable, Equatable {
    var status: Int
    var reason: String
    /// Header lines without line ends, in addition to the usual ones.
    var headers: [String] = []
    var body: [UInt8]
    private let isOfServerAPI: Bool

    init(
        _ body: [UInt8], status: Int = 200, reason: String = "Apple WebObjects",
        headers: [String] = [], isOfServerAPI: Bool = false
    ) {
        self.isOfServerAPI = isOfServerAPI
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body
    }

    var bytes: [UInt8] { head + body }

    var gzipped: HTTPReply {
        HTTPReply(
            Gzip.stored(body), status: status, reason: reason,
            headers: headers + ["Content-Encoding: gzip"], isOfServerAPI: isOfServerAPI)
    }

    /// Apple compresses long answers if the client accepts gzip.
    func packed(for request: HTTPRequest) -> HTTPReply {
        request.acceptsGzip && body.count >= 1_024 ? gzipped : self
    }

    /// The head with the length of `body`, even if less is sent.
    var head: [UInt8] {
        var head: [UInt8] = []
        head.reserveCapacity(384 + body.count)
        head.append(contentsOf: "HTTP/1.1 \(status) \(reason)\r\n".utf8)
        head.append(contentsOf: isOfServerAPI ? Self.usualOfServerAPI : Self.usual)
        for line in headers { head.append(contentsOf: "\(line)\r\n".utf8) }
        head.append(contentsOf: "Content-Length: \(body.count)\r\n\r\n".utf8)
        return head
    }

    /// A head whose only statement about the body's length is in `lines`.
    func head(with lines: String...) -> [UInt8] {
        let all = ["HTTP/1.1 \(status) \(reason)"] + headers + lines
        return Array((all.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static let usual = Array(
        [
            "x-apple-jingle-correlation-key: 6GS5E3J5GXN2ZQSBUKEVUGNCPA",
            "x-apple-request-uuid: f1a5d26d-3d35-dba9-c241-a2895a19a278",
            "apple-timing-app: 7 ms",
            "x-apple-application-site: SIM",
            "Set-Cookie: itspod=48; version=\"1\"; expires=Thu, 31-Dec-2099 00:00:00 GMT; path=/",
            "Set-Cookie: mzf_in=480012; path=/; secure; HttpOnly",
            "Cache-Control: private, no-cache, no-store, no-transform, must-revalidate, max-age=0",
        ].map { $0 + "\r\n" }.joined().utf8)

    private static let usualOfServerAPI = Array(
        [
            "Server: daiquiri/5", "apple-timing-app: 8 ms",
            "x-apple-request-uuid: 5b0f7d1e-8d5c-4b0a-9e21-7c3f60d8a914",
        ].map { $0 + "\r\n" }.joined().utf8)
}
