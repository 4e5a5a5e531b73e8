internal import Glibc

/// The process's output streams: data goes to `output`, everything else to `error`.
enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Whether to print ANSI escape sequences: on a terminal that supports them, unless NO_COLOR is
    /// set (<https://no-color.org>).
    var isColoured: Bool {
        isTerminal && Environment.value(of: "NO_COLOR") == nil
            && Environment.value(of: "TERM") != "dumb"
    }

    /// Writes all of `bytes`, also to a reader that is slow. A closed pipe (`| head`) is not a
    /// failure.
    /// - Returns: nil, or the `errno` of the failed write.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                switch errno {
                case EINTR: continue
                // Another program that has the stream made it non-blocking.
                case EAGAIN:
                    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&room, 1, -1)
                    continue
                case EPIPE: return nil
                default: return errno
                }
            }
            rest = rest.dropFirst(count)
        }
        return nil
    }
}

extension StandardStream {
    /// Prints to stdout after what was logged before, however long a reader takes, unless a signal
    /// cancels the task.
    /// - Throws: an ending with status 74.
    static func print(_ bytes: [UInt8]) throws(Ending) {
        if !StreamWriter.error.isStuck {
            _ = StreamWriter.error.flush(within: logPatience)
        }
        switch StreamWriter.output.writeUnlessCancelled(bytes) {
        case .written: break
        case .failed(let code):
            throw Ending(
                .inputOutput,
                "Cannot write to stdout: \(String(cString: strerror(code))). Check where it is"
                    + " redirected.")
        case .unread:
            throw Ending(.inputOutput, "Nobody read stdout. Read it, or send it to a file.")
        }
    }

    static func print(_ text: String) throws(Ending) { try print(Array(text.utf8)) }

    private static let logPatience = Duration.milliseconds(500)
}
