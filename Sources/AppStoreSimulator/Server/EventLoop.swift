internal import Glibc

/// One thread's event loop over `poll`, with its share of the connections.
final class EventLoop {
    typealias Handler = @Sendable (_ request: HTTPRequest, _ listener: Int) -> [ReplyStep]
    typealias ConnectionEnd = @Sendable (_ listener: Int) -> Void

    private let listeners: [Listener]
    private let alarm: Int32
    private let handler: Handler
    private let connectionEnd: ConnectionEnd
    private let acceptor: ConnectionAcceptor
    /// Accepting is paused until this time, in nanoseconds of the monotonic clock.
    private var acceptsFrom: UInt64 = 0
    private var connections: [Connection] = []
    private var byID: [UInt64: Connection] = [:]
    private var timers = Timers()
    private var lastID: UInt64 = 0
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    /// - Parameter alarm: a descriptor that becomes readable when the loop must end.
    init(
        listeners: [Listener], alarm: Int32, acceptor: ConnectionAcceptor,
        handler: @escaping Handler, connectionEnd: @escaping ConnectionEnd
    ) {
        self.listeners = listeners
        self.alarm = alarm
        self.acceptor = acceptor
        self.handler = handler
        self.connectionEnd = connectionEnd
    }

    deinit { buffer.deallocate() }

    func run() {
        // Order in `watched`: the alarm, the listeners, the connections.
        let fixed =
            [pollfd(fd: alarm, events: Int16(POLLIN), revents: 0)]
            + listeners.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
        var watched: [pollfd] = []
        while true {
            watched.removeAll(keepingCapacity: true)
            watched.append(contentsOf: fixed)
            // poll ignores negative descriptors.
            if acceptsFrom > Self.now {
                for listener in listeners.indices { watched[listener + 1].fd = -1 }
            }
            for connection in connections { watched.append(connection.watched) }
            poll(&watched, nfds_t(watched.count), timeout)
            guard watched[0].revents == 0 else { return }
            for index in connections.indices where watched[index + fixed.count].revents != 0 {
                serve(connections[index], watched[index + fixed.count].revents)
            }
            for listener in listeners.indices where watched[listener + 1].revents != 0 {
                accept(at: listener)
            }
            let now = Self.now
            while let id = timers.popDue(at: now) {
                if let connection = byID[id] { advance(connection) }
            }
            removeClosed()
        }
    }

    /// In milliseconds, rounded up; -1: no time-out.
    private var timeout: Int32 {
        let now = Self.now
        let dues = [timers.nextDue, acceptsFrom > now ? acceptsFrom : nil]
        guard let due = dues.compactMap(\.self).min() else { return -1 }
        return due <= now ? 0 : Int32(min((due - now + 999_999) / 1_000_000, 60_000))
    }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    // MARK: Connections

    private func accept(at listener: Int) {
        while true {
            switch acceptor.acceptClient(of: listeners[listener].socket) {
            case .client(let socket): admit(socket, at: listener)
            case .closedAtOnce: continue
            case .noClient: return
            case .outOfDescriptors:
                // Pauses, because poll would report the same client again at once.
                acceptsFrom = Self.now + 50_000_000
                return
            }
        }
    }

    private func admit(_ socket: Int32, at listener: Int) {
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        var yes: Int32 = 1
        setsockopt(
            socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        lastID += 1
        let connection = Connection(id: lastID, socket: socket, listener: listener)
        connections.append(connection)
        byID[lastID] = connection
    }

    private func removeClosed() {
        guard connections.contains(where: { $0.state == .closed }) else { return }
        connections.removeAll { connection in
            guard connection.state == .closed else { return false }
            byID[connection.id] = nil
            connectionEnd(connection.listener)
            return true
        }
    }

    private func serve(_ connection: Connection, _ events: Int16) {
        if events & Int16(POLLIN | POLLHUP | POLLERR) != 0 { connection.receive(into: buffer) }
        // New input does not shorten a reply's wait.
        guard !connection.isBusy || connection.wantsToWrite else { return }
        advance(connection)
    }

    private func advance(_ connection: Connection) {
        while connection.state == .open {
            if let wait = connection.proceed() {
                timers.add(connection.id, due: Self.now + UInt64(max(0, wait)) * 1_000_000)
                return
            }
            guard !connection.wantsToWrite else { return }
            do throws(HTTPRequestHead.Refusal) {
                guard let request = try connection.nextRequest() else { return }
                connection.begin(handler(request, connection.listener))
            } catch {
                connection.begin([.send(error.reply.bytes), .close])
            }
        }
    }
}

extension HTTPRequestHead.Refusal {
    fileprivate var reply: HTTPReply {
        switch self {
        case .malformed: HTTPReply([], status: 400, reason: "Bad Request")
        case .lengthMissing: HTTPReply([], status: 411, reason: "Length Required")
        case .tooLarge: HTTPReply([], status: 413, reason: "Request Entity Too Large")
        }
    }
}
