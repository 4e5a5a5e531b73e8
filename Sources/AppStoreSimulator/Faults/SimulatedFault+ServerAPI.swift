internal import Glibc

extension SimulatedFault {
    /// Faults of the App Store Server API.
    static let ofServerAPI =
        refusals
        + [
            SimulatedFault("api-429") { _ in .tooMany(seconds: 1) },
            SimulatedFault("api-429-long", isDrawn: false) { _ in .tooMany(seconds: 120) },
            SimulatedFault("api-503") { _ in .http(503, "Service Unavailable", "try later") },
            SimulatedFault("api-html") { _ in .http(200, "OK", page, ["Content-Type: text/html"]) },
            SimulatedFault("api-array") { _ in .http(200, "OK", "[1,2,3]") },
            SimulatedFault("api-empty") { _ in .http(200, "OK", "") },
            SimulatedFault("api-half-json") { planned in
                planned.with(Array(planned.body.prefix(planned.body.count / 2)))
            },
            SimulatedFault("api-no-revision") { $0.without("revision") },
            SimulatedFault("api-no-more") { $0.without("hasMore") },
            SimulatedFault("api-no-transactions") { $0.without("signedTransactions") },
            // Refused at once, because a retry would not change it.
            SimulatedFault("api-bad-signature", isDrawn: false) { $0.withWrongSignature() },
            SimulatedFault("api-cut") {
                [.send($0.head + Array($0.body.prefix($0.body.count / 2))), .close]
            },
            SimulatedFault("api-reset") { _ in [.reset] },
            SimulatedFault("api-hang", isDrawn: false) { _ in [.stall] },
        ]

    /// Apple's error codes. Those that a retry overcomes are drawn.
    private static let refusals = [
        SimulatedFault("api-401", isDrawn: false) { _ in .http(401, "Unauthorized", "") },
        SimulatedFault("api-4000000", isDrawn: false) { _ in .error(400, 4_000_000) },
        SimulatedFault("api-4000005", isDrawn: false) { _ in .error(400, 4_000_005) },
        SimulatedFault("api-4040001", isDrawn: false) { _ in .error(404, 4_040_001) },
        SimulatedFault("api-4040002") { _ in .error(404, 4_040_002) },
        SimulatedFault("api-4040003", isDrawn: false) { _ in .error(404, 4_040_003) },
        SimulatedFault("api-4040010", isDrawn: false) { _ in .error(404, 4_040_010) },
        SimulatedFault("api-500") { _ in .error(500, 5_000_000) },
        SimulatedFault("api-5000001") { _ in .error(500, 5_000_001) },
    ]
}

extension [ReplyStep] {
    fileprivate static func error(
        _ status: Int, _ code: Int, _ headers: [String] = []
    ) -> [ReplyStep] {
        .http(
            status, "Error", #"{"errorCode":\#(code),"errorMessage":"An injected fault."}"#,
            ["Content-Type: application/json"] + headers)
    }

    /// `Retry-After` is an instant, in milliseconds since 1970.
    fileprivate static func tooMany(seconds: Int) -> [ReplyStep] {
        .error(429, 4_290_000, ["Retry-After: \((time(nil) + seconds) * 1_000)"])
    }
}

extension PlannedReply {
    fileprivate func with(_ body: [UInt8]) -> [ReplyStep] {
        var reply = reply
        reply.body = body
        return [.send(reply.bytes)]
    }

    /// The answer without a member. Of other answers than a page it changes nothing.
    fileprivate func without(_ member: String) -> [ReplyStep] {
        let name = Array("\"\(member)\":".utf8)
        guard let start = body.firstRange(of: name)?.lowerBound else { return with(body) }
        var depth = 0
        let rest = body[start...]
        // No text in an answer has brackets or commas.
        let end = rest.firstIndex { byte in
            switch byte {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ","), UInt8(ascii: "}"): return depth == 0
            default: break
            }
            return false
        }
        guard let end else { return with(body) }
        let head = body[..<start]
        // The last member takes the comma before it with it.
        return body[end] == UInt8(ascii: ",")
            ? with(Array(head + body[(end + 1)...]))
            : with(Array(head.dropLast() + body[end...]))
    }

    /// Changes the last JWS of the answer.
    fileprivate func withWrongSignature() -> [ReplyStep] {
        guard let dot = body.lastIndex(of: UInt8(ascii: ".")), dot + 1 < body.count else {
            return with(body)
        }
        var body = body
        body[dot + 1] = UInt8(ascii: body[dot + 1] == UInt8(ascii: "A") ? "B" : "A")
        return with(body)
    }
}
