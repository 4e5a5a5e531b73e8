package struct SCGIResponse: Sendable, Equatable {
    var status: Int
    /// In addition to `Content-Type`, `Content-Length`, `Cache-Control`; no control characters.
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
