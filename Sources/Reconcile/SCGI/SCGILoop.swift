internal import CEpoll
internal import Dispatch
internal import Glibc

/// The server's event loop over epoll, on one thread.
final class SCGILoop {
    private let listener: SCGISocket
    private let inbox: SCGIInbox
    private let limits: SCGILimits
    /// Called with a complete request and its connection's id.
    private let hand: (UInt64, SCGIRequest) -> Void
    private let epoll: Int32
    private var connections: [UInt64: SCGIConnection] = [:]
    private var lastID: UInt64 = 1
    /// The requests in progress, also of clients that are gone, with their shares.
    private var inProgress: [UInt64: BodyMemory.Share] = [:]
    private var memory: BodyMemory
    private var isListening = true
    private var isPaused = false
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    private static let listenerToken: UInt64 = 0
    private static let alarmToken: UInt64 = 1

    init(
        _ listener: SCGISocket, _ inbox: SCGIInbox, _ limits: SCGILimits,
        hand: @escaping (UInt64, SCGIRequest) -> Void
    ) {
        self.listener = listener
        self.inbox = inbox
        self.limits = limits
        self.hand = hand
        memory = BodyMemory(limits)
        epoll = epoll_create1(cepoll_close_on_exec)
    }

    deinit {
        buffer.deallocate()
        close(epoll)
    }

    func run() {
        _ = cepoll_control(epoll, cepoll_add, inbox.alarm, cepoll_in, Self.alarmToken)
        _ = cepoll_control(epoll, cepoll_add, listener.descriptor, cepoll_in, Self.listenerToken)
        var ready = [cepoll_ready](repeating: cepoll_ready(), count: 256)
        var nextSweep = Self.now
        while true {
            let count = cepoll_wait(epoll, &ready, 500)
            let now = Self.now
            for index in 0..<max(0, Int(count)) { serve(ready[index], now) }
            if !deliver(now) { break }
            if now >= nextSweep {
                sweep(now)
                nextSweep = now + 500_000_000
            }
        }
        if isListening { listener.close() }
        connections = [:]
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    private func serve(_ ready: cepoll_ready, _ now: UInt64) {
        switch ready.token {
        case Self.listenerToken: accept(now)
        case Self.alarmToken: break
        default:
            guard let connection = connections[ready.token] else { return }
            let before = (connection.state, connection.wantsToWrite, connection.wantsInput)
            if ready.events & cepoll_out != 0 { connection.flush() }
            if ready.events & (cepoll_in | cepoll_broken) != 0 { receive(connection, now) }
            update(connection, before, isBroken: ready.events & cepoll_broken != 0)
        }
    }

    private func receive(_ connection: SCGIConnection, _ now: UInt64) {
        var step = connection.receive(into: buffer, &memory, now: now)
        if case .noMemory(let share) = step { step = freeMemory(share, for: connection, now) }
        switch step {
        case .nothing: break
        case .noMemory: connection.answer(Self.comeBack(after: 5), now: now)
        case .refused(let response): connection.answer(response, now: now)
        case .request(let request):
            guard inProgress.count < limits.requests else {
                connection.answer(Self.comeBack(after: 1), now: now)
                break
            }
            inProgress[connection.id] = connection.takeShare()
            hand(connection.id, request)
        }
        releaseShare(of: connection)
    }

    /// Ends the reading of bodies that began earlier, since nginx sends a body at once: a client
    /// that sends slowly, or stops, is not nginx.
    /// - Returns: what `connection` does next, `noMemory` if no other could be ended.
    private func freeMemory(
        _ share: BodyMemory.Share, for connection: SCGIConnection, _ now: UInt64
    ) -> SCGIConnection.Step {
        let others = connections.values.filter { $0.mayYield(to: share) }
            .filter { $0.deadline <= connection.deadline && $0.id != connection.id }
        for other in others.sorted(by: { $0.deadline < $1.deadline }) {
            let before = (other.state, other.wantsToWrite, other.wantsInput)
            other.answer(Self.comeBack(after: 5), now: now)
            releaseShare(of: other)
            update(other, before)
            let step = connection.proceed(&memory, now: now)
            if case .noMemory = step {} else { return step }
        }
        return .noMemory(share)
    }

    private static func comeBack(after seconds: Int) -> SCGIResponse {
        SCGIResponse(503, headers: [("Retry-After", "\(seconds)")])
    }

    /// Of a connection that no longer receives a body.
    private func releaseShare(of connection: SCGIConnection) {
        if let share = connection.takeShare() { memory.release(share) }
    }

    /// The request is answered, or waits for another server.
    private func endProgress(of connection: UInt64) {
        if let share = inProgress.removeValue(forKey: connection) { memory.release(share) }
    }

    private func update(
        _ connection: SCGIConnection, _ before: (SCGIConnection.State, Bool, Bool),
        isBroken: Bool = false
    ) {
        // The client is gone: nothing can read the answer.
        if isBroken, connection.state == .busy || connection.state == .lingering {
            connection.close()
        }
        guard connection.state != .closed else {
            releaseShare(of: connection)
            connections[connection.id] = nil
            if isPaused { resume() }
            return
        }
        guard (connection.wantsToWrite, connection.wantsInput) != (before.1, before.2) else {
            return
        }
        let events =
            (connection.wantsToWrite ? cepoll_out : 0) | (connection.wantsInput ? cepoll_in : 0)
        _ = cepoll_control(epoll, cepoll_modify, connection.socket, events, connection.id)
    }

    // MARK: Clients
    private func accept(_ now: UInt64) {
        while isListening, connections.count < limits.connections {
            let socket = Glibc.accept(listener.descriptor, nil, nil)
            guard socket >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                if errno != EAGAIN { pause() }
                return
            }
            _ = fcntl(socket, F_SETFL, O_NONBLOCK)
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            lastID += 1
            let connection = SCGIConnection(id: lastID, socket: socket, limits: limits, now: now)
            connections[lastID] = connection
            _ = cepoll_control(epoll, cepoll_add, socket, cepoll_in, lastID)
        }
        if isListening { pause() }
    }

    private func pause() {
        isPaused = true
        _ = cepoll_control(epoll, cepoll_modify, listener.descriptor, 0, Self.listenerToken)
    }

    private func resume() {
        guard isListening else { return }
        isPaused = false
        _ = cepoll_control(
            epoll, cepoll_modify, listener.descriptor, cepoll_in, Self.listenerToken)
    }

    private func sweep(_ now: UInt64) {
        if isPaused { resume() }
        for connection in connections.values where connection.deadline <= now {
            let before = (connection.state, connection.wantsToWrite, connection.wantsInput)
            connection.expire(now: now)
            releaseShare(of: connection)
            update(connection, before)
        }
    }

    // MARK: Other threads

    /// Sends finished answers. Returns false when the loop must end.
    private func deliver(_ now: UInt64) -> Bool {
        let contents = inbox.take()
        for id in contents.waiting { endProgress(of: id) }
        for (id, response) in contents.answers {
            endProgress(of: id)
            guard let connection = connections[id], connection.state == .busy else { continue }
            let before = (connection.state, connection.wantsToWrite, connection.wantsInput)
            connection.answer(response, now: now)
            update(connection, before)
        }
        if contents.isStopping { stopListening() }
        guard contents.isEnding else { return true }
        return connections.values.contains { $0.state == .answering }
    }

    /// Closes the listener and the connections that have not sent a request.
    private func stopListening() {
        guard isListening else { return }
        listener.close()
        isListening = false
        for connection in connections.values
        where connection.state == .header || connection.state == .body {
            connection.close()
            releaseShare(of: connection)
            connections[connection.id] = nil
        }
    }
}
