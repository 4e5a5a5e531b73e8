internal import Glibc

/// One client connection with its unparsed input and pending reply steps. Never blocks.
final class Connection {
    enum State { case open, closed }

    let id: UInt64
    let socket: Int32
    /// Index of the listener that accepted it.
    let listener: Int
    private var unread: [UInt8] = []
    private var head: HTTPRequestHead?
    private var steps: ArraySlice<ReplyStep> = []
    private var unsent: ArraySlice<UInt8> = []
    private var keepsAlive = true
    private(set) var isStalled = false
    /// The client has closed its side, but may still read.
    private var isHalfClosed = false
    private(set) var state = State.open
    /// A reply is in progress; further input waits.
    private(set) var isBusy = false

    init(id: UInt64, socket: Int32, listener: Int) {
        self.id = id
        self.socket = socket
        self.listener = listener
    }

    deinit { Glibc.close(socket) }

    var wantsToWrite: Bool { !unsent.isEmpty }

    var watched: pollfd {
        let events = (isHalfClosed ? 0 : POLLIN) | (wantsToWrite ? POLLOUT : 0)
        return pollfd(fd: socket, events: Int16(events), revents: 0)
    }

    // MARK: Reading

    /// A client that closes its side still gets its answers.
    func receive(into buffer: UnsafeMutableRawBufferPointer) {
        while true {
            let count = recv(socket, buffer.baseAddress, buffer.count, 0)
            if count > 0 {
                unread.append(contentsOf: buffer[..<count])
                if count < buffer.count { return }
            } else if count == 0 {
                isHalfClosed = true
                if isStalled { state = .closed }
                return
            } else if errno != EINTR {
                if errno != EAGAIN { state = .closed }
                return
            }
        }
    }

    /// The next complete request, unless a reply is in progress. Closes the connection when there
    /// is none and the client has closed its side.
    func nextRequest() throws(HTTPRequestHead.Refusal) -> HTTPRequest? {
        guard !isBusy, !isStalled else { return nil }
        let request = try wholeRequest()
        if request == nil, isHalfClosed { state = .closed }
        return request
    }

    private func wholeRequest() throws(HTTPRequestHead.Refusal) -> HTTPRequest? {
        if head == nil {
            // Some clients send an uncounted line break after a body (RFC 9112, 2.2).
            unread.removeFirst(unread.prefix { $0 == 0x0D || $0 == 0x0A }.count)
            guard let end = unread.firstRange(of: Self.emptyLine) else {
                if unread.count > HTTPRequestHead.mostBytes { throw .tooLarge }
                return nil
            }
            let head = try HTTPRequestHead(unread[..<end.lowerBound])
            self.head = head
            unread.removeFirst(end.upperBound)
            if head.expectsContinue, unread.count < head.bodyBytes {
                unsent.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8)
                flush()
            }
        }
        guard let head, unread.count >= head.bodyBytes else { return nil }
        var request = head.request
        if unread.count == head.bodyBytes {
            swap(&request.body, &unread)
        } else {
            request.body = Array(unread[..<head.bodyBytes])
            unread.removeFirst(head.bodyBytes)
        }
        self.head = nil
        keepsAlive = request.keepsAlive
        return request
    }

    private static let emptyLine: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]

    func begin(_ reply: [ReplyStep]) {
        steps = reply[...]
        isBusy = true
    }

    /// Continues the reply as far as possible. Returns the milliseconds to wait before the next
    /// call; nil: until the socket is ready or a request arrives.
    func proceed() -> Int? {
        while state == .open {
            flush()
            guard unsent.isEmpty, state == .open, !isStalled else { return nil }
            guard let step = steps.popFirst() else {
                if isBusy, !keepsAlive { state = .closed }
                isBusy = false
                return nil
            }
            switch step {
            case .send(let bytes): unsent = bytes[...]
            case .wait(let milliseconds): return milliseconds
            case .close: state = .closed
            case .reset: reset()
            case .stall:
                isStalled = true
                if isHalfClosed { state = .closed }
            case .later(let reply):
                guard let decided = reply.steps else {
                    steps = [step] + steps
                    return 1
                }
                steps = decided + steps
            }
        }
        return nil
    }

    private func flush() {
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes {
                send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                unsent = unsent.dropFirst(count)
            } else if errno != EINTR {
                if errno != EAGAIN { state = .closed }
                return
            }
        }
    }

    private func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout.size(ofValue: linger))
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, size)
        state = .closed
    }
}
