import Foundation
import Synchronization

/// An HTTP server on 127.0.0.1 that sends exactly the bytes of a script, valid or not.
///
/// It keeps connections open, counts them, and records every request. Releasing it closes all.
final class LoopbackServer: Sendable {
    enum Act: Sendable {
        case send([UInt8])
        case hangUp
        /// Closes the connection with a TCP reset.
        case reset
        /// Sends nothing more until the client closes.
        case stall
    }

    struct Request: Sendable {
        /// Both count from 0, in order of arrival over the server's life.
        let connection: Int
        let number: Int
        let head: String
        let body: [UInt8]
    }

    let port: UInt16
    private let listener: Int32
    private let log = LoopbackLog()

    var url: String { "http://127.0.0.1:\(port)/verify" }
    var requests: [Request] { log.requests }
    var connections: Int { log.connections }

    init(_ script: @escaping @Sendable (Request) -> [Act]) throws {
        (listener, port) = try LoopbackSocket.listen()
        Thread.detachNewThread { [listener, log] in
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else { return }
                let connection = log.opened(socket)
                Thread.detachNewThread {
                    LoopbackConnection(socket: socket, number: connection, log: log).serve(script)
                }
            }
        }
    }

    convenience init(_ reply: String) throws {
        try self.init { _ in [.send(Array(reply.utf8))] }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        log.closeAll()
    }

    func arrival(of count: Int) async { await log.wait { $0.requests.count >= count } }

    func departure(of count: Int) async { await log.wait { $0.closed >= count } }
}

extension LoopbackServer.Act {
    static func send(_ text: String) -> Self { .send(Array(text.utf8)) }

    static func reply(status: String = "200 OK", headers: [String] = [], _ body: [UInt8]) -> Self {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers
        return .send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    static func reply(status: String = "200 OK", headers: [String] = [], _ body: String) -> Self {
        reply(status: status, headers: headers, Array(body.utf8))
    }
}

enum LoopbackSocket {
    static func listen() throws -> (socket: Int32, port: UInt16) {
        let (socket, port) = try bound()
        guard Glibc.listen(socket, 1_024) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
        return (socket, port)
    }

    /// A port where nothing listens. It stays bound, so that no other test's server gets it.
    static func closedPort() throws -> UInt16 { try bound().port }

    private static func bound() throws -> (socket: Int32, port: UInt16) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        return (socket, UInt16(bigEndian: address.sin_port))
    }
}

/// The events so far, and the tasks that wait for more of them.
private final class LoopbackLog: Sendable {
    struct State {
        var requests: [LoopbackServer.Request] = []
        var open: Set<Int32> = []
        var connections = 0
        var closed = 0
    }

    private struct Waiter {
        let isOver: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private let state = Mutex(State())
    private let waiters = Mutex<[Waiter]>([])

    var requests: [LoopbackServer.Request] { state.withLock { $0.requests } }
    var connections: Int { state.withLock { $0.connections } }

    func opened(_ socket: Int32) -> Int {
        update {
            $0.open.insert(socket)
            $0.connections += 1
            return $0.connections - 1
        }
    }

    func received(_ head: String, _ body: [UInt8], on connection: Int) -> LoopbackServer.Request {
        update {
            let request = LoopbackServer.Request(
                connection: connection, number: $0.requests.count, head: head, body: body)
            $0.requests.append(request)
            return request
        }
    }

    /// Closes the socket here, so that its number is not reused before it is removed.
    func finished(_ socket: Int32) {
        update {
            $0.open.remove(socket)
            $0.closed += 1
            close(socket)
        }
    }

    func closeAll() {
        state.withLock { for socket in $0.open { shutdown(socket, Int32(SHUT_RDWR)) } }
    }

    func wait(until isOver: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            waiters.withLock { $0.append(Waiter(isOver: isOver, continuation: continuation)) }
            update { _ in }
        }
    }

    private func update<R: Sendable>(_ change: (inout State) -> R) -> R {
        let (result, now) = state.withLock { (change(&$0), $0) }
        let ready = waiters.withLock { waiters in
            let ready = waiters.filter { $0.isOver(now) }
            waiters.removeAll { $0.isOver(now) }
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
        return result
    }
}

private struct LoopbackConnection {
    let socket: Int32
    let number: Int
    let log: LoopbackLog
    private var unread: [UInt8] = []

    init(socket: Int32, number: Int, log: LoopbackLog) {
        self.socket = socket
        self.number = number
        self.log = log
    }

    consuming func serve(_ script: (LoopbackServer.Request) -> [LoopbackServer.Act]) {
        defer { log.finished(socket) }
        while let (head, body) = nextRequest() {
            for act in script(log.received(head, body, on: number)) {
                guard play(act) else { return }
            }
        }
    }

    /// False when the connection is over.
    private func play(_ act: LoopbackServer.Act) -> Bool {
        switch act {
        case .send(let bytes): return send(bytes)
        case .hangUp: return false
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            let size = socklen_t(MemoryLayout.size(ofValue: linger))
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, size)
            return false
        case .stall:
            var byte: UInt8 = 0
            while recv(socket, &byte, 1, 0) > 0 {}
            return false
        }
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    socket, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private mutating func nextRequest() -> (head: String, body: [UInt8])? {
        let blankLine = Array("\r\n\r\n".utf8)
        var end: Int?
        repeat {
            end = unread.firstRange(of: blankLine)?.upperBound
        } while end == nil && receive()
        guard let end else { return nil }
        let head = String(decoding: unread[..<end], as: UTF8.self)
        let length = head.split(separator: "\r\n")
            .first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
        while unread.count < end + (length ?? 0) { guard receive() else { return nil } }
        defer { unread.removeFirst(end + (length ?? 0)) }
        return (head, Array(unread[end..<end + (length ?? 0)]))
    }

    private mutating func receive() -> Bool {
        let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            count = max(0, recv(socket, buffer.baseAddress, buffer.count, 0))
        }
        unread += piece
        return !piece.isEmpty
    }
}
