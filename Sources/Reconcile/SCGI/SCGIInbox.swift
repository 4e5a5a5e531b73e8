internal import CEpoll
internal import Glibc
internal import Synchronization

/// Messages of other threads to the server's event loop.
final class SCGIInbox: Sendable {
    struct Contents {
        var answers: [(connection: UInt64, response: SCGIResponse)] = []
        /// Connections whose requests wait for another server.
        var waiting: [UInt64] = []
        /// The server stops accepting requests.
        var isStopping = false
        /// The server ends without further answers.
        var isEnding = false
    }

    private let contents = Mutex(Contents())
    let alarm: Int32

    init() { alarm = eventfd(0, cepoll_event_flags) }

    deinit { close(alarm) }

    func changeContents(_ change: @Sendable (inout Contents) -> Void) {
        contents.withLock { change(&$0) }
        var one: UInt64 = 1
        _ = write(alarm, &one, 8)
    }

    func take() -> Contents {
        var count: UInt64 = 0
        _ = read(alarm, &count, 8)
        return contents.withLock { contents in
            defer { (contents.answers, contents.waiting) = ([], []) }
            return contents
        }
    }
}
