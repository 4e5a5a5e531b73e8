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
        let clients = (0..<8).map { _ in
            let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            let socket = Glibc.socket(AF_INET, type, 0)
            LoopbackSocket.connect(socket, to: port)
            return socket
        }
        sockets = [listener] + clients
    }

    deinit { for socket in sockets { close(socket) } }
}
