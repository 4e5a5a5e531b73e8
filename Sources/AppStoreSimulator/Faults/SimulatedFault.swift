/// One way in which the simulated Apple fails: from the reply it would send to what it does
/// instead, down to the byte. A further fault is one more line of `all`.
struct SimulatedFault: Sendable {
    /// As `--faults` names it.
    let name: String
    /// Whether asking again may help; only these are drawn by a plain rate.
    let passes: Bool
    let steps: @Sendable (HTTPReply) -> [ReplyStep]

    init(
        _ name: String, passes: Bool = true, _ steps: @escaping @Sendable (HTTPReply) -> [ReplyStep]
    ) {
        (self.name, self.passes, self.steps) = (name, passes, steps)
    }

    static func named(_ name: String) -> SimulatedFault? { all.first { $0.name == name } }

    static let all = [
        SimulatedFault("503") { _ in .http(503, "Service Unavailable", "Service Unavailable") },
        SimulatedFault("500") { _ in .http(500, "Internal Server Error", "") },
        SimulatedFault("429") { _ in
            .http(429, "Too Many Requests", "slow down", ["Retry-After: 1"])
        },
        SimulatedFault("429-date") { _ in
            .http(
                429, "Too Many Requests", "",
                [
                    "Date: Fri, 20 Nov 2026 02:00:00 GMT",
                    "Retry-After: Fri, 20 Nov 2026 02:00:01 GMT",
                ])
        },
        SimulatedFault("429-long", passes: false) { _ in
            .http(429, "Too Many Requests", "", ["Retry-After: 120"])
        },
        SimulatedFault("302") { _ in
            .http(302, "Found", "", ["Location: https://itunes.apple.com/"])
        },
        SimulatedFault("html") { _ in .http(200, "OK", page, ["Content-Type: text/html"]) },
        SimulatedFault("empty") { _ in .http(200, "OK", "") },
        SimulatedFault("array") { _ in .http(200, "OK", "[1,2,3]") },
        SimulatedFault("21000", passes: false) { _ in .json(#"{"status":21000}"#) },
        SimulatedFault("21002") { _ in
            .json(#"{"status":21002,"exception":"java.lang.IllegalArgumentException"}"#)
        },
        SimulatedFault("21003") { _ in .json(#"{"status":21003}"#) },
        SimulatedFault("21005") { _ in .json(#"{"status":21005,"environment":"Production"}"#) },
        SimulatedFault("21009") { _ in
            .json(#"{"exception":"com.apple.\#(cache)","status":21009,"environment":"Production"}"#)
        },
        SimulatedFault("21010") { _ in .json(#"{"status":21010}"#) },
        SimulatedFault("21104") { _ in
            .json(#"{"status":21104,"environment":"Production","is_retryable":true}"#)
        },
        SimulatedFault("21199") { _ in .json(#"{"status":21199,"is-retryable":"true"}"#) },
        SimulatedFault("21199-final", passes: false) { _ in
            .json(#"{"status":21199,"is_retryable":false,"is-retryable":"0"}"#)
        },
        SimulatedFault("99999") { _ in .json(#"{"status":99999}"#) },
        SimulatedFault("loop-production", passes: false) { _ in .json(#"{"status":21007}"#) },
        SimulatedFault("loop-sandbox", passes: false) { _ in .json(#"{"status":21008}"#) },
        SimulatedFault("no-receipt") { _ in .json(#"{"status":0,"environment":"Production"}"#) },
        SimulatedFault("cut") {
            [.send($0.head + Array($0.body.prefix($0.body.count / 2))), .close]
        },
        SimulatedFault("cut-head") { [.send(Array($0.head.prefix(40))), .close] },
        SimulatedFault("hang-up") { _ in [.close] },
        SimulatedFault("reset") { _ in [.reset] },
        SimulatedFault("reset-midway") {
            [.send($0.head + Array($0.body.prefix(1))), .wait(milliseconds: 20), .reset]
        },
        SimulatedFault("slow") { [.wait(milliseconds: 3_000), .send($0.bytes)] },
        SimulatedFault("trickle") { reply in
            reply.bytes.chunks(of: 512).flatMap { [.send($0), .wait(milliseconds: 5)] }
        },
        SimulatedFault("hang", passes: false) { _ in [.stall] },
        SimulatedFault("noise") { _ in [.send(Array("\u{0}\u{1}not HTTP\r\n\r\n".utf8)), .close] },
    ]

    private static let page = """
        <html><head><meta http-equiv="refresh" content="0;url=https://itunes.apple.com"></head>\
        <body>Connecting to the iTunes Store</body></html>
        """

    private static let cache =
        "jingle.commercelogic.inappcache.MZInAppCacheAccessException"
}

extension [ReplyStep] {
    fileprivate static func http(
        _ status: Int, _ reason: String, _ body: String, _ headers: [String] = []
    ) -> [ReplyStep] {
        let reply = HTTPReply(
            [UInt8](body.utf8), status: status, reason: reason, headers: headers)
        return [.send(reply.bytes)]
    }

    fileprivate static func json(_ body: String) -> [ReplyStep] {
        [.send(HTTPReply([UInt8](body.utf8)).bytes)]
    }
}

extension [UInt8] {
    fileprivate func chunks(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
