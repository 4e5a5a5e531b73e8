import Glibc

/// A port of 127.0.0.1 that never answers: its queue of clients is full, so the kernel drops the
/// first packet of each further one.
final class BlackHole {
    let port: UInt16
    private let sockets: [Int32]

    init() throws {
        let (listener, port) = try LoopbackSocket.listen()
        // The kernel may shorten the queue at any time.
        listen(listener, 0)
        self.port = port
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        sockets =
            [listener]
            + (0..<8).map { _ in
                let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
                let socket = Glibc.socket(AF_INET, type, 0)
                _ = withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
                return socket
            }
    }

    deinit { for socket in sockets { close(socket) } }
}
