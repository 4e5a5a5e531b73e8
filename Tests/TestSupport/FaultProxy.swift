import Foundation
import Synchronization

@testable import Reconcile

/// A TCP proxy in front of PostgreSQL that cuts connections, drops data, or loses the answer to a
/// COMMIT, when a test says so.
final class FaultProxy: Sendable {
    private struct State {
        /// Whether it drops all data.
        var sockets: [Int32: Bool] = [:]
        var watched: (bytes: [UInt8], act: @Sendable (FaultProxy) -> Void)?
        /// Including those that are cut already.
        var commitsToCut = 0
        var commitsCut = 0
    }

    let port: UInt16
    private let listener: Int32
    private let server: UInt16
    private let state = Mutex(State())

    init(before url: String) throws {
        server = url.firstMatch(of: /@127\.0\.0\.1:(\d+)\//).flatMap { UInt16($0.1) } ?? 0
        (listener, port) = try LoopbackSocket.listen()
        Thread.detachNewThread { [weak self, listener] in
            while case let socket = accept(listener, nil, nil), socket >= 0 { self?.serve(socket) }
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
        url.replacing(":\(server)/", with: ":\(port)/", maxReplacements: 1)
    }

    /// Ends every open connection. It holds the lock that closing needs too: a closed descriptor's
    /// number may belong to another socket.
    func cut() {
        state.withLock { for socket in $0.sockets.keys { shutdown(socket, Int32(SHUT_RDWR)) } }
    }

    /// Drops all data of the current connections from now on, in both directions, and keeps them
    /// open, like a failed router.
    func fallSilent() { state.withLock { $0.sockets = $0.sockets.mapValues { _ in true } } }

    /// From now on calls `act` when a client sends `bytes`, before the server has them.
    func before(_ bytes: some Sequence<UInt8>, _ act: @escaping @Sendable (FaultProxy) -> Void) {
        state.withLock { $0.watched = (Array(bytes), act) }
    }

    /// Lets the next `count` COMMITs through to the server, and then ends their connections.
    func cutAfterCommits(_ count: Int) {
        state.withLock { $0.commitsToCut = $0.commitsCut + count }
    }

    var commitsCut: Int { state.withLock { $0.commitsCut } }

    private func serve(_ client: Int32) {
        guard let server = LoopbackSocket.connection(to: server) else {
            close(client)
            return
        }
        state.withLock { for socket in [client, server] { $0.sockets[socket] = false } }
        // Closed when both directions are done: a free descriptor number may be reused.
        let directions = Shared(2)
        for isFromClient in [true, false] {
            Thread.detachNewThread { [weak self] in
                let (from, to) = isFromClient ? (client, server) : (server, client)
                self?.forward(from: from, to: to, isFromClient)
                guard directions.update({ $0 -= 1 }) == 0 else { return }
                for socket in [client, server] {
                    self?.state.withLock { $0.sockets[socket] = nil }
                    close(socket)
                }
            }
        }
    }

    private func forward(from: Int32, to: Int32, _ isFromClient: Bool) {
        while case let bytes = LoopbackSocket.receive(from: from), !bytes.isEmpty {
            let isCommit = isFromClient && bytes.firstRange(of: "COMMIT\0".utf8) != nil
            let watched = state.withLock { $0.watched }
            if isFromClient, let watched, bytes.firstRange(of: watched.bytes) != nil {
                watched.act(self)
            }
            let (isSilent, mustCut) = state.withLock { state in
                let isSilent = state.sockets[from] == true
                let mustCut = isCommit && !isSilent && state.commitsCut < state.commitsToCut
                if mustCut { state.commitsCut += 1 }
                return (isSilent, mustCut)
            }
            if isSilent { continue }
            // The rest of the server's answer is not forwarded.
            if mustCut { shutdown(from, Int32(SHUT_WR)) }
            guard LoopbackSocket.send(bytes, over: to), !mustCut else { break }
        }
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(isFromClient ? SHUT_WR : SHUT_RDWR))
    }
}
