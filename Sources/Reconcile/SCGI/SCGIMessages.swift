/// A request as a web server hands it on.
package struct SCGIRequest: Sendable, Equatable {
    package let method: String
    /// Without the query, and not decoded.
    package let path: String
    /// By CGI's names, for example `HTTP_X_DOWNLOAD_KEY`.
    package let headers: [String: String]
    package var body: [UInt8]
}

/// What the web server is to answer.
package struct SCGIResponse: Sendable, Equatable {
    package var status: Int
    /// Beside `Content-Type` and `Content-Length`. Neither may hold a control character.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(
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

    /// As CGI prints it (RFC 3875, 6).
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

/// What the server takes, and for how long it waits.
package struct SCGILimits: Sendable {
    package var headerBytes = 64 << 10
    package var bodyBytes = 16 << 20
    /// Of all bodies together: a client more is told to come back.
    package var bufferedBytes = 256 << 20
    /// Clients at one time; others wait in the socket's queue.
    package var connections = 12_000
    /// Requests that are being answered at one time: one more is told to come back.
    package var requests = 2_000
    /// From the connection to the end of the header.
    package var headerPatience = Duration.seconds(10)
    /// From the header to the end of the body.
    package var bodyPatience = Duration.seconds(60)
    /// From the beginning of an answer to its end.
    package var answerPatience = Duration.seconds(30)

    package init() {}
}
