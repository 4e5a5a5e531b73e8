/// An injected fault: replaces the planned reply with other steps, down to the byte.
struct SimulatedFault: Sendable {
    let name: String
    /// Whether a plain rate draws it: a retry overcomes it, it costs little time and memory, and it
    /// is not a refusal that would be believed when repeated.
    let isDrawn: Bool
    /// Otherwise of verifyReceipt.
    let isOfServerAPI: Bool
    let steps: @Sendable (PlannedReply) -> [ReplyStep]

    init(
        _ name: String, isDrawn: Bool = true,
        _ steps: @escaping @Sendable (PlannedReply) -> [ReplyStep]
    ) {
        self.name = name
        self.isDrawn = isDrawn
        isOfServerAPI = name.hasPrefix("api-")
        self.steps = steps
    }

    /// One of those below, or the status of any five digits.
    static func named(_ name: String) -> SimulatedFault? {
        if let fault = (all + ofServerAPI).first(where: { $0.name == name }) { return fault }
        guard name.utf8.count == 5, let status = UInt16(name) else { return nil }
        return SimulatedFault(name, isDrawn: false) { _ in .json(#"{"status":\#(status)}"#) }
    }

    /// Of verifyReceipt.
    static let all = statuses + responses + bodies + connections + sizes
}

/// The reply without a fault.
struct PlannedReply: Sendable {
    let reply: HTTPReply
    let environment: SimulatedEnvironment

    init(_ reply: HTTPReply, from environment: SimulatedEnvironment) {
        self.reply = reply
        self.environment = environment
    }

    var head: [UInt8] { reply.head }
    var body: [UInt8] { reply.body }
}

extension [ReplyStep] {
    static func json(_ body: String) -> [ReplyStep] { [.send(HTTPReply([UInt8](body.utf8)).bytes)] }

    static func http(
        _ status: Int, _ reason: String, _ body: String, _ headers: [String] = []
    ) -> [ReplyStep] {
        let reply = HTTPReply(
            [UInt8](body.utf8), status: status, reason: reason, headers: headers)
        return [.send(reply.bytes)]
    }
}

extension SimulatedFault {
    static let statuses = [
        SimulatedFault("21000", isDrawn: false) { _ in .json(#"{"status":21000}"#) },
        SimulatedFault("21001") { _ in .json(#"{"status":21001}"#) },
        SimulatedFault("21002") { _ in
            .json(#"{"status":21002,"exception":"java.lang.IllegalArgumentException"}"#)
        },
        // 21003 and 21010 are believed when they are repeated.
        SimulatedFault("21003", isDrawn: false) { _ in .json(#"{"status":21003}"#) },
        SimulatedFault("21010", isDrawn: false) { _ in .json(#"{"status":21010}"#) },
        SimulatedFault("21004", isDrawn: false) { .status(21_004, from: $0) },
        SimulatedFault("21005") { .status(21_005, from: $0) },
        SimulatedFault("21009") {
            .status(21_009, from: $0, #","exception":"com.apple.\#(cache)""#)
        },
        SimulatedFault("21104") { .status(21_104, from: $0, #","is_retryable":true"#) },
        SimulatedFault("21199") { _ in .json(#"{"status":21199,"is-retryable":"true"}"#) },
        SimulatedFault("21199-final", isDrawn: false) { _ in
            .json(#"{"status":21199,"is_retryable":false,"is-retryable":"0"}"#)
        },
        SimulatedFault("99999") { _ in .json(#"{"status":99999}"#) },
        SimulatedFault("loop", isDrawn: false) { planned in
            .json(#"{"status":\#(planned.environment == .production ? 21_007 : 21_008)}"#)
        },
        SimulatedFault("loop-production", isDrawn: false) { _ in .json(#"{"status":21007}"#) },
        SimulatedFault("loop-sandbox", isDrawn: false) { _ in .json(#"{"status":21008}"#) },
        SimulatedFault("status-text") { _ in .json(#"{"status":"21005"}"#) },
        SimulatedFault("no-receipt") { .status(0, from: $0) },
    ]

    private static let cache = "jingle.commercelogic.inappcache.MZInAppCacheAccessException"
}

extension [ReplyStep] {
    fileprivate static func status(
        _ status: Int, from planned: PlannedReply, _ more: String = ""
    ) -> [ReplyStep] {
        .json(
            #"{"status":\#(status),"environment":"\#(planned.environment.rawValue)"\#(more)}"#)
    }
}

extension SimulatedFault {
    static let responses = [
        SimulatedFault("500") { _ in .http(500, "Internal Server Error", "") },
        SimulatedFault("502") { _ in .http(502, "Bad Gateway", page) },
        SimulatedFault("503") { _ in .http(503, "Service Unavailable", "Service Unavailable") },
        SimulatedFault("503-after") { _ in .busy(503, ["Retry-After: 1"]) },
        SimulatedFault("503-date") { _ in .busy(503, [date, "Retry-After: \(aSecondLater)"]) },
        SimulatedFault("503-ms") { _ in .busy(503, [date, "Retry-After: 1795140001000"]) },
        SimulatedFault("429") { _ in
            .http(429, "Too Many Requests", "slow down", ["Retry-After: 1"])
        },
        SimulatedFault("429-bare") { _ in .busy(429) },
        SimulatedFault("429-date") { _ in .busy(429, [date, "Retry-After: \(aSecondLater)"]) },
        SimulatedFault("429-old-date") { _ in
            .busy(429, [date, "Retry-After: Friday, 20-Nov-26 02:00:01 GMT"])
        },
        SimulatedFault("429-ms") { _ in .busy(429, [date, "Retry-After: 1795140001000"]) },
        SimulatedFault("429-fraction") { _ in .busy(429, ["Retry-After: 1.5"]) },
        SimulatedFault("429-negative") { _ in .busy(429, ["Retry-After: -5"]) },
        SimulatedFault("429-past") { _ in
            .busy(429, [date, "Retry-After: Thu, 19 Nov 2026 02:00:00 GMT"])
        },
        SimulatedFault("429-twice") { _ in .busy(429, ["Retry-After: 0", "Retry-After: 1"]) },
        SimulatedFault("429-words") { _ in .busy(429, ["Retry-After: soon"]) },
        SimulatedFault("429-long", isDrawn: false) { _ in .busy(429, ["Retry-After: 120"]) },
        SimulatedFault("503-long", isDrawn: false) { _ in .busy(503, ["Retry-After: 120"]) },
        SimulatedFault("204") { _ in [.send(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))] },
        SimulatedFault("301") { _ in .http(301, "Moved Permanently", "", [elsewhere]) },
        SimulatedFault("302") { _ in .http(302, "Found", "", [elsewhere]) },
        SimulatedFault("307") { _ in .http(307, "Temporary Redirect", "", [elsewhere]) },
        SimulatedFault("403") { _ in .http(403, "Forbidden", page) },
    ]

    private static let elsewhere = "Location: https://itunes.apple.com/"
    /// 1795140000 seconds after 1970.
    private static let date = "Date: Fri, 20 Nov 2026 02:00:00 GMT"
    private static let aSecondLater = "Fri, 20 Nov 2026 02:00:01 GMT"
}

extension [ReplyStep] {
    fileprivate static func busy(_ status: Int, _ headers: [String] = []) -> [ReplyStep] {
        .http(status, status == 429 ? "Too Many Requests" : "Service Unavailable", "", headers)
    }
}

extension SimulatedFault {
    static let connections = [
        SimulatedFault("cut") {
            [.send($0.head + Array($0.body.prefix($0.body.count / 2))), .close]
        },
        SimulatedFault("cut-head") { [.send(Array($0.head.prefix(40))), .close] },
        SimulatedFault("hang-up") { _ in [.close] },
        SimulatedFault("reset") { _ in [.reset] },
        SimulatedFault("reset-midway") {
            [.send($0.head + Array($0.body.prefix(1))), .wait(milliseconds: 20), .reset]
        },
        SimulatedFault("slow") { [.wait(milliseconds: 3_000), .send($0.reply.bytes)] },
        SimulatedFault("trickle") { planned in
            planned.reply.bytes.chunks(of: 512).flatMap { [.send($0), .wait(milliseconds: 5)] }
        },
        SimulatedFault("hang", isDrawn: false) { _ in [.stall] },
        SimulatedFault("hang-head", isDrawn: false) { [.send(Array($0.head.prefix(40))), .stall] },
        SimulatedFault("hang-body", isDrawn: false) {
            [.send($0.head + Array($0.body.prefix($0.body.count / 2))), .stall]
        },
        // Sends header lines for 100 s.
        SimulatedFault("endless-head", isDrawn: false) { _ in
            let line: [ReplyStep] = [.send(Array("X-Line: x\r\n".utf8)), .wait(milliseconds: 50)]
            return [.send(Array("HTTP/1.1 200 OK\r\n".utf8))]
                + Array(repeating: line, count: 2_000).flatMap(\.self) + [.stall]
        },
        SimulatedFault("slow-loris", isDrawn: false) { planned in
            planned.reply.bytes.flatMap { [.send([$0]), .wait(milliseconds: 500)] }
        },
        SimulatedFault("noise") { _ in [.send(Array("\u{0}\u{1}not HTTP\r\n\r\n".utf8)), .close] },
        SimulatedFault("early-hints") { planned in
            let hints = String(
                repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 50)
            return [.send(Array(hints.utf8) + planned.reply.bytes)]
        },
    ]

}

extension [UInt8] {
    func chunks(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
