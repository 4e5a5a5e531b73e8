import Foundation
import Synchronization

@testable import Reconcile

/// A TCP proxy in front of PostgreSQL that cuts connections, drops data, or loses the answer to a
/// COMMIT, when a test says so.
final class FaultProxy: Sendable {
    private struct State {
        var sockets: Set<Int32> = []
        var silent: Set<Int32> = []
        var silencing: [UInt8]?
        var commitsToCut = 0
        var commitsCut = 0
    }

    let port: UInt16
    private let listener: Int32
    private let server: (host: String, port: UInt16)
    private let state = Mutex(State())

    /// - Parameter url: the server's, as `TestDatabase` has it.
    init(before url: String) throws {
        guard let parts = url.firstMatch(of: /@([0-9.]+):([0-9]+)\//) else {
            throw POSIXError(.EINVAL)
        }
        server = (String(parts.1), UInt16(parts.2) ?? 0)
        (listener, port) = try LoopbackSocket.listen()
        Thread.detachNewThread { [weak self, listener] in
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0, let self else { return }
                self.serve(socket)
            }
        }
    }

    deinit {
        end()
        close(listener)
    }

    /// Ends every connection, and refuses new ones. Releasing the last reference would do so too
    /// late, since forwarding threads hold one.
    func end() {
        shutdown(listener, Int32(SHUT_RDWR))
        cut()
    }

    func url(_ url: String) -> String {
        url.replacing(":\(server.port)/", with: ":\(port)/", maxReplacements: 1)
    }

    /// Ends every open connection. It holds the lock that closing needs too: a closed descriptor's
    /// number may belong to another socket.
    func cut() {
        state.withLock { state in
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Drops all data of the current connections from now on, in both directions, and keeps them
    /// open, like a failed router.
    func fallSilent() { state.withLock { $0.silent = $0.sockets } }

    /// From now on a connection falls silent when a client sends `bytes` over it, before the server
    /// has them.
    func fallSilent(on bytes: some Sequence<UInt8>) {
        state.withLock { $0.silencing = Array(bytes) }
    }

    /// Lets the next `count` COMMITs through to the server, and then ends their connections.
    func cutAfterCommits(_ count: Int) { state.withLock { $0.commitsToCut = count } }

    var commitsCut: Int { state.withLock { $0.commitsCut } }

    private func serve(_ client: Int32) {
        let server = Self.connection(to: server.host, server.port)
        guard server >= 0 else {
            close(client)
            return
        }
        state.withLock { $0.sockets.formUnion([client, server]) }
        // Closed when both directions are done: a free descriptor number may be reused.
        let directions = Shared(2)
        for isFromClient in [true, false] {
            Thread.detachNewThread { [weak self] in
                let (from, to) = isFromClient ? (client, server) : (server, client)
                self?.forward(from: from, to: to, isFromClient)
                guard directions.update({ $0 -= 1 }) == 0 else { return }
                self?.state.withLock { state in
                    for socket in [client, server] {
                        state.sockets.remove(socket)
                        state.silent.remove(socket)
                    }
                }
                close(client)
                close(server)
            }
        }
    }

    private func forward(from: Int32, to: Int32, _ isFromClient: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(from, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            let isSilent = state.withLock { state in
                if isFromClient, let bytes = state.silencing,
                    buffer[..<count].firstRange(of: bytes) != nil
                {
                    state.silent.formUnion([from, to])
                }
                return state.silent.contains(from)
            }
            if isSilent { continue }
            let isCommit = isFromClient && buffer[..<count].firstRange(of: Self.commit) != nil
            let mustCut =
                isCommit
                && state.withLock { state in
                    guard state.commitsToCut > 0 else { return false }
                    state.commitsToCut -= 1
                    state.commitsCut += 1
                    return true
                }
            if mustCut {
                // The rest of the server's answer is not forwarded.
                shutdown(from, Int32(SHUT_WR))
            }
            var sent = 0
            while sent < count {
                let written = buffer[sent..<count].withUnsafeBytes {
                    send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { break }
                sent += written
            }
            guard sent == count, !mustCut else { break }
        }
        shutdown(from, Int32(SHUT_RDWR))
        if isFromClient { shutdown(to, Int32(SHUT_WR)) } else { shutdown(to, Int32(SHUT_RDWR)) }
    }

    private static let commit = Array("COMMIT\0".utf8)

    private static func connection(to host: String, _ port: UInt16) -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
        }
        guard result == 0 else {
            close(socket)
            return -1
        }
        return socket
    }
}
