import Foundation

@testable import AppStoreSimulator

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
        var found: UInt16?
        while found == nil {
            let piece = server.output.availableData
            guard !piece.isEmpty else { throw POSIXError(.ECONNREFUSED) }
            text += String(decoding: piece, as: UTF8.self)
            found = text.firstMatch(of: /ACCEPT .*:([0-9]+)\n/).flatMap { UInt16($0.1) }
        }
        port = found!
        // Sent to every client. The session's own text goes to a pipe that is not read, and is far
        // too short to fill it.
        input.fileHandleForWriting.write(
            Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
    }

    deinit { server.end() }
}

/// A self-signed certificate for `localhost`, in a folder of its own.
final class TLSCertificate {
    enum Validity: Sendable { case now, past, future }

    private let folder: TemporaryFolder
    let (file, keyFile): (String, String)

    init(_ validity: Validity = .now) throws {
        folder = try TemporaryFolder()
        let key = ThrowAwayAuthority.signerKey
        let days =
            switch validity {
            case .past: ("000101", "010101")
            case .now: ("000101", "491231")
            case .future: ("480101", "491231")
            }
        let certificate = TestCertificate(
            "localhost", serial: 1, key: SigningKey(pkcs8: key), days: days, isAuthority: true,
            host: "localhost")
        file = try folder.write(certificate.pem, to: "certificate.pem")
        keyFile = try folder.write(TestCertificate.pem("PRIVATE KEY", key), to: "key.pem")
    }
}
