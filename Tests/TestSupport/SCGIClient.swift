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
        let length = "\(body.utf8.count)"
        var headers = ["CONTENT_LENGTH", length, "SCGI", "1", "REQUEST_METHOD", method]
        headers += ["PATH_INFO", path] + (key.map { ["HTTP_X_DOWNLOAD_KEY", $0] } ?? [])
        let text = headers.map { $0 + "\u{0}" }.joined()
        return await send("\(text.utf8.count):\(text),\(body)")
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
        var received: [UInt8] = []
        while case let piece = LoopbackSocket.receive(from: socket), !piece.isEmpty {
            received += piece
        }
        let text = String(decoding: received, as: UTF8.self)
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
