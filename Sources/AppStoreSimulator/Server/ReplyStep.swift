internal import Synchronization

/// One step of a server's reply. A reply is a list of steps, so that a fault can occur at any byte.
enum ReplyStep: Sendable, Equatable {
    case send([UInt8])
    /// Waits without blocking a thread.
    case wait(milliseconds: Int)
    case close
    case reset
    case stall
    /// Continues with steps that are decided later.
    case later(PendingReply)
}

/// The rest of a reply, to be decided elsewhere. The connection waits without blocking a thread.
final class PendingReply: Sendable, Equatable {
    private let decided = Mutex<[ReplyStep]?>(nil)

    init() {}

    /// Sets the steps and lets the connection continue. Call it once.
    func decide(_ steps: [ReplyStep]) { decided.withLock { $0 = steps } }

    var steps: [ReplyStep]? { decided.withLock { $0 } }

    static func == (left: PendingReply, right: PendingReply) -> Bool { left === right }
}
