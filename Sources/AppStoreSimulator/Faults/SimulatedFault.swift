/// One way in which the simulated Apple fails: from the reply it would send to what it does
/// instead, down to the byte. A further fault is one more line of a list.
struct SimulatedFault: Sendable {
    /// As `--faults` names it.
    let name: String
    /// Whether a plain rate draws it: asking again helps, it takes little time and memory, and it
    /// says nothing of the receipt that would be believed when it is said twice.
    let isDrawn: Bool
    let steps: @Sendable (PlannedReply) -> [ReplyStep]

    init(
        _ name: String, isDrawn: Bool = true,
        _ steps: @escaping @Sendable (PlannedReply) -> [ReplyStep]
    ) {
        (self.name, self.isDrawn, self.steps) = (name, isDrawn, steps)
    }

    /// One of `all`; or any five digits: that status.
    static func named(_ name: String) -> SimulatedFault? {
        if let fault = all.first(where: { $0.name == name }) { return fault }
        guard name.utf8.count == 5, let status = UInt16(name) else { return nil }
        return SimulatedFault(name, isDrawn: false) { _ in .json(#"{"status":\#(status)}"#) }
    }

    static let all = statuses + responses + bodies + connections + sizes
}

/// What is sent when no fault strikes.
struct PlannedReply: Sendable {
    let reply: HTTPReply
    let environment: SimulatedEnvironment

    init(_ reply: HTTPReply, from environment: SimulatedEnvironment) {
        (self.reply, self.environment) = (reply, environment)
    }

    var head: [UInt8] { reply.head }
    var body: [UInt8] { reply.body }
}

extension [ReplyStep] {
    /// 200 with a body.
    static func json(_ body: String) -> [ReplyStep] { [.send(HTTPReply([UInt8](body.utf8)).bytes)] }

    static func http(
        _ status: Int, _ reason: String, _ body: String, _ headers: [String] = []
    ) -> [ReplyStep] {
        let reply = HTTPReply(
            [UInt8](body.utf8), status: status, reason: reason, headers: headers)
        return [.send(reply.bytes)]
    }
}
