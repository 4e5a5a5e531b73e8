package struct SCGIRequest: Sendable, Equatable {
    let method: String
    /// Without the query and not percent-decoded.
    let path: String
    /// By their CGI names, for example `HTTP_X_DOWNLOAD_KEY`.
    let headers: [String: String]
    var body: [UInt8]
}

package struct SCGIResponse: Sendable, Equatable {
    var status: Int
    /// Besides `Content-Type`, `Content-Length` and `Cache-Control`; without control characters.
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    init(
        _ status: Int, _ body: [UInt8] = [], headers: [(name: String, value: String)] = []
    ) {
        self.status = status
        self.body = body
        self.headers = headers
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.status == right.status && left.body == right.body
            && left.headers.elementsEqual(right.headers, by: ==)
    }

    /// The response in CGI format (RFC 3875, 6).
    var bytes: [UInt8] {
        let lines =
            ["Status: \(status) \(Self.reasons[status] ?? "Answer")"]
            + [
                "Content-Type: application/json", "Content-Length: \(body.count)",
                "Cache-Control: no-store",
            ] + headers.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    private static let reasons = [
        200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 408: "Request Timeout", 413: "Content Too Large",
        503: "Service Unavailable",
    ]
}

package struct SCGILimits: Sendable {
    var headerBytes = 64 << 10
    var bodyBytes = 16 << 20
    /// Sum of all bodies; a client that exceeds it gets 503.
    var bufferedBytes = 256 << 20
    /// Most clients at one time; others wait in the socket's backlog.
    var connections = 12_000
    /// Most requests in progress; further ones get 503.
    var requests = 2_000
    /// From the connection to the end of the header.
    var headerPatience = Duration.seconds(10)
    /// From the header to the end of the body.
    var bodyPatience = Duration.seconds(60)
    /// From the beginning of the answer to its end.
    var answerPatience = Duration.seconds(30)

    init() {}
}
