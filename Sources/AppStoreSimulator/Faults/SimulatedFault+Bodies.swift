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

extension SimulatedFault {
    static let sizes = [
        SimulatedFault("chunked") { $0.chunked($0.body) + [.send(lastChunk)] },
        SimulatedFault("torn-chunk") { planned in
            planned.chunked(planned.body).dropLast()
                + [.send(Array("ffff\r\n".utf8) + planned.body.prefix(100)), .close]
        },
        SimulatedFault("bad-chunk") { planned in
            planned.chunked([]) + [.send(Array("zz\r\n{\r\n".utf8)), .close]
        },
        // libcurl uses the last length.
        SimulatedFault("two-lengths") { planned in
            let lengths = [planned.body.count, planned.body.count / 2].map {
                "Content-Length: \($0)"
            }
            return [.send(planned.reply.head(with: lengths[0], lengths[1]) + planned.body), .close]
        },
        SimulatedFault("negative-length") {
            [.send($0.reply.head(with: "Content-Length: -1") + $0.body), .close]
        },
        SimulatedFault("gzip") { [.send($0.reply.gzipped.bytes)] },
        // Complete for HTTP, because the length is that of the truncated data.
        SimulatedFault("cut-gzip") { planned in
            var reply = planned.reply.gzipped
            reply.body.removeLast(reply.body.count / 2)
            return [.send(reply.bytes)]
        },
        SimulatedFault("bad-gzip") { $0.encoded("gzip") },
        SimulatedFault("bad-encoding") { $0.encoded("x-none") },
        SimulatedFault("bomb", isDrawn: false) { planned in
            var reply = planned.reply
            reply.body = bomb
            reply.headers = ["Content-Encoding: gzip"]
            return [.send(reply.bytes)]
        },
        SimulatedFault("huge", isDrawn: false) { planned in
            [.send(planned.reply.head(with: chunkedCoding))]
                + Array(repeating: .send(megabyte), count: 50) + [.send(lastChunk)]
        },
        SimulatedFault("huge-length", isDrawn: false) { planned in
            [.send(planned.reply.head(with: "Content-Length: 52428800") + planned.body), .stall]
        },
        SimulatedFault("long-header") { planned in
            let line = "X-Long: " + String(repeating: "x", count: 110_000)
            return [.send(planned.reply.head(with: line)), .close]
        },
        SimulatedFault("many-headers") { planned in
            var reply = planned.reply
            let line = "X-Many: " + String(repeating: "x", count: 1_000)
            reply.headers = Array(repeating: line, count: 400)
            return [.send(reply.bytes)]
        },
    ]

    fileprivate static let chunkedCoding = "Transfer-Encoding: chunked"
    private static let lastChunk = Array("0\r\n\r\n".utf8)
    private static let megabyte =
        Array("100000\r\n".utf8) + Array(repeating: UInt8(ascii: " "), count: 1 << 20)
        + Array("\r\n".utf8)
    private static let bomb = Gzip.bomb(of: 200 << 20)
}

extension PlannedReply {
    /// Chunks of 512 bytes, without the final empty chunk.
    fileprivate func chunked(_ body: [UInt8]) -> [ReplyStep] {
        let chunks = body.chunks(of: 512).map { chunk in
            ReplyStep.send(
                Array((String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + [0x0D, 0x0A])
        }
        return [.send(reply.head(with: SimulatedFault.chunkedCoding))] + chunks
    }

    fileprivate func encoded(_ coding: String) -> [ReplyStep] {
        var reply = reply
        reply.headers.append("Content-Encoding: \(coding)")
        return [.send(reply.bytes)]
    }
}
