internal import Synchronization

/// One thing that a server does on a connection. A reply is a list of them, so that it can go wrong
/// at any byte.
package enum ReplyStep: Sendable, Equatable {
    /// Raw bytes, head and all.
    case send([UInt8])
    /// Nothing for a while; no thread waits.
    case wait(milliseconds: Int)
    /// Ends the connection in order.
    case close
    /// Ends it with a TCP reset.
    case reset
    /// Says nothing more until the client closes.
    case stall
    /// What somebody else decides in time.
    case later(PendingReply)
}

/// The rest of a reply that is decided elsewhere: the connection waits, and no thread of the
/// server.
package final class PendingReply: Sendable, Equatable {
    private let decided = Mutex<[ReplyStep]?>(nil)

    /// Undecided.
    package init() {}

    /// Lets the connection go on. To be called once.
    package func decide(_ steps: [ReplyStep]) { decided.withLock { $0 = steps } }

    var steps: [ReplyStep]? { decided.withLock { $0 } }

    /// The same one.
    package static func == (left: PendingReply, right: PendingReply) -> Bool { left === right }
}
