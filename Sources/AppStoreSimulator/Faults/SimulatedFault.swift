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
