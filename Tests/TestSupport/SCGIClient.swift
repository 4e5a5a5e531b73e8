import Foundation

/// Sends SCGI requests as a web server does.
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
        var headers = [
            ("CONTENT_LENGTH", "\(body.utf8.count)"), ("SCGI", "1"), ("REQUEST_METHOD", method),
            ("PATH_INFO", path),
        ]
        if let key { headers.append(("HTTP_X_DOWNLOAD_KEY", key)) }
        let text = headers.map { "\($0.0)\u{0}\($0.1)\u{0}" }.joined()
        return await send("\(text.utf8.count):\(text),\(body)")
    }

    /// Sends these bytes, and reads to the end.
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
        var received: [UInt8] = []
        while case let piece = LoopbackSocket.receive(from: socket), !piece.isEmpty {
            received += piece
        }
        let text = String(decoding: received, as: UTF8.self)
        let parts = text.split(
            separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return Answer() }
        let status = parts[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Answer(status: status, head: String(parts[0]), body: String(parts[1]))
    }

    /// A connection; nil where nothing listens.
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
        guard !isConnected else { return socket }
        close(socket)
        return nil
    }
}
