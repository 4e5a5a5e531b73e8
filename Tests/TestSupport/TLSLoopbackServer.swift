import Foundation

/// `openssl s_server` on loopback, which answers every connection with `ok`.
final class TLSLoopbackServer {
    let port: UInt16
    private let server = Process()
    private let input = Pipe()

    init(_ certificate: TLSCertificate, options: [String] = []) throws {
        let output = Pipe()
        server.executableURL = URL(filePath: "/usr/bin/env")
        server.arguments =
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", certificate.file]
            + ["-key", certificate.keyFile] + options
        server.standardInput = input
        server.standardOutput = output
        server.standardError = FileHandle.nullDevice
        try server.run()
        var text = ""
        var found: UInt16?
        while found == nil {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw POSIXError(.ECONNREFUSED) }
            text += String(decoding: piece, as: UTF8.self)
            found = text.firstMatch(of: /ACCEPT .*:([0-9]+)\n/).flatMap { UInt16($0.1) }
        }
        // The loop has ended, so there is one.
        port = found!
        // Sent to whoever connects. The session's own text goes to a pipe that nobody reads, and
        // is far too short to fill it.
        input.fileHandleForWriting.write(
            Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
    }

    // Not SIGTERM: a child inherits the signal mask of the thread that started it, and Dispatch's
    // threads block most signals.
    deinit { kill(server.processIdentifier, SIGKILL) }
}

/// A self-signed certificate for `localhost`, in a folder of its own.
final class TLSCertificate {
    let folder: URL
    var file: String { folder.appending(path: "certificate.pem").path() }
    var keyFile: String { folder.appending(path: "key.pem").path() }

    init() throws {
        let name = "reconcile-tls-\(UUID().uuidString)"
        folder = FileManager.default.temporaryDirectory.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/env")
        openssl.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-nodes", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            "-days", "2", "-keyout", keyFile, "-out", file,
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        guard openssl.terminationStatus == 0 else { throw POSIXError(.ENOEXEC) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
