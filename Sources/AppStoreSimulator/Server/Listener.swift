internal import Glibc

struct Listener: Sendable {
    let socket: Int32
    let port: UInt16

    init(port: UInt16) throws(SimulatorError) {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        socket = Glibc.socket(AF_INET, type | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw SimulatorError(.cannotListen(port: port), errno) }
        // A port whose server has just ended can be reused, but not one in use.
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = socket
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 4_096) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isListening else {
            let code = errno
            Glibc.close(socket)
            throw SimulatorError(.cannotListen(port: port), code)
        }
        self.port = UInt16(bigEndian: address.sin_port)
    }

    func close() { Glibc.close(socket) }
}
