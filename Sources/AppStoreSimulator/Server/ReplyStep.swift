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
}
