internal import Synchronization

package struct SCGIRequest: Sendable {
    let method: String
    /// Without the query and not percent-decoded.
    let path: String
    /// By their CGI names. Others than `keyHeader`, and a longer one than any key, are dropped: the
    /// request lasts until its answer, and very many may wait for theirs.
    let headers: [String: String]
    let body: SCGIBody
    static let keyHeader = "HTTP_X_DOWNLOAD_KEY"
    /// Gives up the body's place, and the request's among those in progress. To be called before
    /// a wait for another server, which says how many may wait for it.
    var giveUpPlace: @Sendable () -> Void = {}
}

/// A request's body. Who takes it frees it: the request itself lasts until its answer.
package final class SCGIBody: Sendable {
    private let bytes: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

    /// The bytes; empty when they were taken before.
    func take() -> [UInt8] {
        bytes.withLock { bytes in
            defer { bytes = [] }
            return bytes
        }
    }
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
    /// What a header has beyond it counts like a body. nginx sends a quarter of it.
    var freeHeaderBytes = 4 << 10
    var bodyBytes = 16 << 20
    /// A body of at most so many bytes has its place among the small ones.
    var smallBodyBytes = 256 << 10
    /// Sums of the bodies that arrive or are read, the small ones' with headers. Of bodies that do
    /// not fit into it together, the one that began first gets 503.
    var largeBodiesBytes = 64 << 20
    var smallBodiesBytes = 64 << 20
    /// Most clients at one time; others wait in the socket's backlog.
    var connections = 12_000
    /// Most requests in progress, without those that wait for another server; further ones get 503.
    var requests = 2_000
    /// From the connection to the end of the header.
    var headerPatience = Duration.seconds(10)
    /// From the header to the end of the body, which nginx sends when it has all of it.
    var bodyPatience = Duration.seconds(10)
    /// From the beginning of the answer to its end.
    var answerPatience = Duration.seconds(30)

    init() {}
}
