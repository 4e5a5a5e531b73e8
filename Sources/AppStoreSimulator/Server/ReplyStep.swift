internal import Synchronization

/// A reply is a list of steps, so that a fault can occur at any byte.
enum ReplyStep: Sendable, Equatable {
    case send([UInt8])
    /// Waits without blocking a thread.
    case wait(milliseconds: Int)
    case close
    case reset
    case stall
    /// The rest of the reply, to be decided elsewhere.
    case later(PendingReply)
}

/// Steps to be decided later. The connection waits without blocking a thread.
final class PendingReply: Sendable, Equatable {
    private let decided = Mutex<[ReplyStep]?>(nil)

    /// Lets the connection continue. Call it once.
    func decide(_ steps: [ReplyStep]) { decided.withLock { $0 = steps } }

    var steps: [ReplyStep]? { decided.withLock { $0 } }

    static func == (left: PendingReply, right: PendingReply) -> Bool { left === right }
}
