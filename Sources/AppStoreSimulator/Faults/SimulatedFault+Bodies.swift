extension SimulatedFault {
    /// Status 200 with a malformed or unexpected body.
    static let bodies = [
        SimulatedFault("html") { _ in .http(200, "OK", page, ["Content-Type: text/html"]) },
        SimulatedFault("empty") { _ in .http(200, "OK", "") },
        SimulatedFault("array") { _ in .http(200, "OK", "[1,2,3]") },
        SimulatedFault("string") { _ in .http(200, "OK", #""status 0""#) },
        SimulatedFault("null") { _ in .http(200, "OK", "null") },
        SimulatedFault("no-status") { _ in .json(#"{"environment":"Production"}"#) },
        // Parsers that take the first and the last of duplicate keys disagree.
        SimulatedFault("duplicate-keys") { planned in
            planned.inserting(Array(#""status":21003,"#.utf8))
        },
        SimulatedFault("bad-utf8") {
            $0.inserting(Array("\"note\":\"".utf8) + [0xC3, 0x28, 0x22, 0x2C])
        },
        SimulatedFault("nul") { $0.replaced(by: $0.body + [0]) },
        SimulatedFault("nul-within") { $0.inserting([0]) },
        SimulatedFault("utf16") { planned in
            planned.replaced(by: [0xFF, 0xFE] + planned.body.flatMap { [$0, 0] })
        },
        SimulatedFault("half-json") { $0.replaced(by: Array($0.body.prefix($0.body.count / 2))) },
        SimulatedFault("two-answers") { $0.replaced(by: $0.body + $0.body) },
        SimulatedFault("deep", isDrawn: false) { planned in
            let depth = 100_000
            let nest = Array(repeating: UInt8(ascii: "["), count: depth)
            let end = Array(repeating: UInt8(ascii: "]"), count: depth)
            return planned.inserting(Array("\"deep\":".utf8) + nest + end + [UInt8(ascii: ",")])
        },
        // Valid but large; must be parsed.
        SimulatedFault("long-string", isDrawn: false) { planned in
            let text = Array(repeating: UInt8(ascii: "x"), count: 10 << 20)
            return planned.inserting(Array("\"long\":\"".utf8) + text + Array("\",".utf8))
        },
    ]

    static let page = """
        <html><head><meta http-equiv="refresh" content="0;url=https://itunes.apple.com"></head>\
        <body>Connecting to the iTunes Store</body></html>
        """
}

extension PlannedReply {
    fileprivate func replaced(by body: [UInt8]) -> [ReplyStep] {
        var reply = reply
        reply.body = body
        return [.send(reply.bytes)]
    }

    fileprivate func inserting(_ bytes: [UInt8]) -> [ReplyStep] {
        let start = (body.firstIndex(of: UInt8(ascii: "{")) ?? -1) + 1
        return replaced(by: Array(body[..<start]) + bytes + Array(body[start...]))
    }
}
