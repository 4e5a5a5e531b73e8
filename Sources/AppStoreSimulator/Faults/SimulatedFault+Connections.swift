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
