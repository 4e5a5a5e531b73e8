import Glibc

/// A client that sends and receives raw bytes, and may send anything.
final class RawClient {
    private let socket: Int32

    /// - Parameter url: of a server on 127.0.0.1.
    init(_ url: String) {
        let port = url.split(separator: ":")[2].prefix { $0 != "/" }
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = (UInt16(port) ?? 0).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        // A silent server fails this test instead of blocking all tests.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
        }
    }

    deinit { close(socket) }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) { _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    func post(_ body: [UInt8], headers: [String] = []) {
        let lines = ["POST /verifyReceipt HTTP/1.1", "Host: a", "Content-Length: \(body.count)"]
        send(Array(((lines + headers).joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    /// Up to `count` bytes; fewer if the server closes the connection first.
    func receive(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var piece = [UInt8](repeating: 0, count: count - bytes.count)
            let received = recv(socket, &piece, piece.count, 0)
            guard received > 0 else { return bytes }
            bytes += piece.prefix(received)
        }
        return bytes
    }

    func sayNoMore() { shutdown(socket, Int32(SHUT_WR)) }

    /// The bytes up to the first empty line.
    func head() -> String {
        var head = ""
        while !head.hasSuffix("\r\n\r\n") {
            let byte = receive(1)
            guard !byte.isEmpty else { return head }
            head += String(decoding: byte, as: UTF8.self)
        }
        return head
    }

    /// A whole reply, by its Content-Length.
    func reply() -> String {
        let head = head()
        let length = head.split(separator: "\r\n").last.flatMap {
            $0.hasPrefix("Content-Length: ") ? Int($0.dropFirst(16)) : nil
        }
        return head + String(decoding: receive(length ?? 0), as: UTF8.self)
    }

    func endsInReset() -> Bool {
        var byte: UInt8 = 0
        while true {
            let count = recv(socket, &byte, 1, 0)
            if count == 0 { return false }
            if count < 0 { return errno == ECONNRESET }
        }
    }

    /// Whether nothing arrives for that long.
    func isSilent(milliseconds: Int32) -> Bool {
        var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, milliseconds) == 0
    }
}
