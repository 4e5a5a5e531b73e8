import Foundation

@testable import AppStoreSimulator
@testable import Reconcile

/// An HTTP server on 127.0.0.1 that sends exactly the bytes of a script, valid or not, and records
/// every request. It keeps connections open until it is released.
final class LoopbackServer: Sendable {
    enum Act: Sendable {
        case send([UInt8])
        case hangUp
        case reset
        /// Sends nothing more until the client closes.
        case stall
    }

    struct Request: Sendable {
        /// From 0, in order of arrival.
        let number: Int
        let head: String
        let body: [UInt8]
    }

    let port: UInt16
    private let listener: Int32
    private let log = Shared(LoopbackLog())

    /// Without a path.
    var origin: String { "http://127.0.0.1:\(port)" }
    var url: String { origin + "/verify" }
    var requests: [Request] { log.current.requests }
    var connections: Int { log.current.connections }

    init(_ script: @escaping @Sendable (Request) -> [Act]) throws {
        (listener, port) = try LoopbackSocket.listen()
        Thread.detachNewThread { [listener, log] in
            while case let socket = accept(listener, nil, nil), socket >= 0 {
                log.update { $0.open.insert(socket) }
                let connection = LoopbackConnection(socket: socket, log: log)
                Thread.detachNewThread { connection.serve(script) }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        log.update { for socket in $0.open { shutdown(socket, Int32(SHUT_RDWR)) } }
    }

    /// Waits for the next request that was not awaited before.
    func arrival() async throws { try await log.current.arrivals.wait() }
    func departure() async throws { try await log.current.departures.wait() }
}

extension LoopbackServer.Act {
    static func send(_ text: String) -> Self { .send(Array(text.utf8)) }

    static func reply(status: String = "200 OK", headers: [String] = [], _ body: [UInt8]) -> Self {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers + ["", ""]
        return .send(Array(lines.joined(separator: "\r\n").utf8) + body)
    }

    static func reply(status: String = "200 OK", headers: [String] = [], _ body: String) -> Self {
        reply(status: status, headers: headers, Array(body.utf8))
    }
}

private struct LoopbackLog: Sendable {
    var requests: [LoopbackServer.Request] = []
    var open: Set<Int32> = []
    var closed = 0
    var connections: Int { open.count + closed }
    let arrivals = Semaphore(permits: 0)
    let departures = Semaphore(permits: 0)
}

private struct LoopbackConnection {
    let socket: Int32
    let log: Shared<LoopbackLog>
    private(set) var unread: [UInt8] = []

    consuming func serve(_ script: (LoopbackServer.Request) -> [LoopbackServer.Act]) {
        while let request = nextRequest(), script(request).allSatisfy(play) {}
        // Closed under the lock, so that its number is not reused before it is removed.
        log.update {
            $0.open.remove(socket)
            $0.closed += 1
            close(socket)
        }.departures.signal()
    }

    /// False when the connection is over.
    private func play(_ act: LoopbackServer.Act) -> Bool {
        switch act {
        case .send(let bytes): return LoopbackSocket.send(bytes, over: socket)
        case .hangUp: break
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            let size = socklen_t(MemoryLayout.size(ofValue: linger))
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, size)
        case .stall: while !LoopbackSocket.receive(from: socket).isEmpty {}
        }
        return false
    }

    private mutating func nextRequest() -> LoopbackServer.Request? {
        let end = receive { $0.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound }
        guard let end else { return nil }
        let head = String(decoding: unread[..<end], as: UTF8.self)
        let length = head.firstMatch(of: /(?im)^content-length:\s*(\d+)/).flatMap { Int($0.1) }
        let whole = end + (length ?? 0)
        let body = receive { $0.count < whole ? nil : Array($0[end..<whole]) }
        guard let body else { return nil }
        unread.removeFirst(whole)
        return log.update {
            $0.requests.append(.init(number: $0.requests.count, head: head, body: body))
            $0.arrivals.signal()
        }.requests.last
    }

    /// Nil when the client says no more.
    private mutating func receive<Part>(until part: ([UInt8]) -> Part?) -> Part? {
        while true {
            if let part = part(unread) { return part }
            let piece = LoopbackSocket.receive(from: socket)
            guard !piece.isEmpty else { return nil }
            unread += piece
        }
    }
}

/// `openssl s_server` on loopback, which answers every connection with `ok`.
final class TLSLoopbackServer {
    let port: UInt16
    private let server: ChildProcess
    private let input = Pipe()

    init(_ certificate: TLSCertificate, options: [String] = []) throws {
        let files = ["-cert", certificate.file, "-key", certificate.keyFile]
        server = try ChildProcess(
            "/usr/bin/openssl", ["s_server", "-accept", "127.0.0.1:0"] + files + options,
            input: input.fileHandleForReading)
        var text = ""
        while !text.contains(/ACCEPT .*\n/) {
            let piece = server.output.availableData
            guard !piece.isEmpty else { throw POSIXError(.ECONNREFUSED) }
            text += String(decoding: piece, as: UTF8.self)
        }
        port = text.firstMatch(of: /ACCEPT .*:([0-9]+)\n/).flatMap { UInt16($0.1) } ?? 0
        // Sent to every client. The session's own text is too short to fill the pipe.
        let answer = Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
        input.fileHandleForWriting.write(answer)
    }

    deinit { server.end() }
}

/// A self-signed certificate for `localhost`.
final class TLSCertificate {
    enum Validity: Sendable { case now, past, future }

    private let folder: TemporaryFolder
    let (file, keyFile): (String, String)

    init(_ validity: Validity = .now) throws {
        folder = try TemporaryFolder()
        let key = ThrowAwayAuthority.signerKey
        let start = validity == .future ? "480101" : "000101"
        let end = validity == .past ? "010101" : "491231"
        let certificate = TestCertificate(
            "localhost", serial: 1, key: SigningKey(pkcs8: key), days: (start, end),
            isAuthority: true, host: "localhost")
        file = try folder.write(certificate.pem, to: "certificate.pem")
        keyFile = try folder.write(TestCertificate.pem("PRIVATE KEY", key), to: "key.pem")
    }
}
