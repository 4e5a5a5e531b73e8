import Foundation

enum LoopbackSocket {
    static func listen() throws -> (socket: Int32, port: UInt16) {
        let (socket, port) = try bound()
        guard Glibc.listen(socket, 1_024) == 0 else { throw failure }
        return (socket, port)
    }

    /// A port where nothing listens. It stays bound, so that no other test's server gets it.
    static func closedPort() throws -> UInt16 { try bound().port }

    private static func bound() throws -> (socket: Int32, port: UInt16) {
        let socket = stream()
        var port: UInt16 = 0
        let isBound = withAddress(of: &port) { address, size in
            bind(socket, address, size) == 0 && getsockname(socket, address, &size) == 0
        }
        guard isBound else { throw failure }
        return (socket, port)
    }

    private static var failure: POSIXError { POSIXError(.init(rawValue: errno) ?? .EIO) }

    fileprivate static func stream(_ options: __socket_type = __socket_type(0)) -> Int32 {
        Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | options.rawValue), 0)
    }

    static func connection(to port: UInt16) -> Int32? {
        let socket = stream()
        if connect(socket, to: port) { return socket }
        close(socket)
        return nil
    }

    @discardableResult
    fileprivate static func connect(_ socket: Int32, to port: UInt16) -> Bool {
        var port = port
        return withAddress(of: &port) { Glibc.connect(socket, $0, $1) == 0 }
    }

    /// Calls `body` with the address of a port, which it may change.
    private static func withAddress(
        of port: inout UInt16, _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Bool
    ) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        defer { port = UInt16(bigEndian: address.sin_port) }
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &size) }
        }
    }

    /// False when the other side takes no more.
    static func send(_ bytes: some Collection<UInt8>, over socket: Int32) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The next bytes; none at the end.
    static func receive(from socket: Int32, atMost count: Int = 1 << 16) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, recv(socket, buffer.baseAddress, buffer.count, 0))
        }
    }
}

/// A port that never answers: its queue of clients is full, so the kernel drops further packets.
final class BlackHole {
    let port: UInt16
    private let sockets: [Int32]

    init() throws {
        let (listener, port) = try LoopbackSocket.listen()
        // The kernel may shorten the queue at any time.
        listen(listener, 0)
        self.port = port
        let clients = (0..<8).map { _ in LoopbackSocket.stream(SOCK_NONBLOCK) }
        for client in clients { LoopbackSocket.connect(client, to: port) }
        sockets = [listener] + clients
    }

    deinit { for socket in sockets { close(socket) } }
}

struct SCGIClient: Sendable {
    struct Answer: Sendable, Equatable {
        /// 0 if nothing listens, or the connection ended without an answer.
        var status = 0
        var head = ""
        var body = ""
    }

    private let path: String
    init(_ path: String) { self.path = path }

    func ask(
        _ method: String, _ path: String, _ body: String = "", key: String? = nil
    ) async throws -> Answer {
        await send(Self.message(method, path, body, key: key))
    }

    /// A connection that has sent a request and does not wait for its answer.
    func sending(_ method: String, _ path: String, _ body: String) -> Int32? {
        guard let socket = connected() else { return nil }
        _ = LoopbackSocket.send(Self.message(method, path, body).utf8, over: socket)
        return socket
    }

    /// A connection that announces a body of `bytes` and sends only `part` of it.
    func announcing(_ bytes: Int, sending part: String) -> Int32? {
        guard let socket = connected() else { return nil }
        let headers = ["CONTENT_LENGTH", "\(bytes)", "SCGI", "1", "REQUEST_METHOD", "POST"]
        let text = headers.map { $0 + "\u{0}" }.joined()
        _ = LoopbackSocket.send("\(text.utf8.count):\(text),\(part)".utf8, over: socket)
        return socket
    }

    private static func message(
        _ method: String, _ path: String, _ body: String, key: String? = nil
    ) -> String {
        let length = "\(body.utf8.count)"
        var headers = ["CONTENT_LENGTH", length, "SCGI", "1", "REQUEST_METHOD", method]
        headers += ["PATH_INFO", path] + (key.map { ["HTTP_X_DOWNLOAD_KEY", $0] } ?? [])
        let text = headers.map { $0 + "\u{0}" }.joined()
        return "\(text.utf8.count):\(text),\(body)"
    }

    func send(_ text: String) async -> Answer {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: exchange(Array(text.utf8))) }
        }
    }

    private func exchange(_ bytes: [UInt8]) -> Answer {
        guard let socket = connected() else { return Answer() }
        defer { close(socket) }
        // The server may answer before it has read everything.
        _ = LoopbackSocket.send(bytes, over: socket)
        var answer: [UInt8] = []
        while case let part = LoopbackSocket.receive(from: socket), !part.isEmpty { answer += part }
        let text = String(decoding: answer, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return Answer() }
        let head = String(text[..<end.lowerBound])
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Answer(status: status, head: head, body: String(text[end.upperBound...]))
    }

    func connected() -> Int32? {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        if !isConnected { close(socket) }
        return isConnected ? socket : nil
    }
}
