import Foundation

/// `openssl s_server` on loopback, which answers every connection with `ok`.
final class TLSLoopbackServer {
    let port: UInt16
    private let server: ChildProcess
    private let input = Pipe()

    init(_ certificate: TLSCertificate, options: [String] = []) throws {
        let arguments =
            ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate.file]
            + ["-key", certificate.keyFile] + options
        server = try ChildProcess(
            "/usr/bin/openssl", arguments, input: input.fileHandleForReading)
        var text = ""
        var found: UInt16?
        while found == nil {
            let piece = server.output.availableData
            guard !piece.isEmpty else { throw POSIXError(.ECONNREFUSED) }
            text += String(decoding: piece, as: UTF8.self)
            found = text.firstMatch(of: /ACCEPT .*:([0-9]+)\n/).flatMap { UInt16($0.1) }
        }
        // The loop has ended, so there is a port.
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
    var file: String { folder.path + "/certificate.pem" }
    var keyFile: String { folder.path + "/key.pem" }

    init(_ validity: Validity = .now) throws {
        folder = try TemporaryFolder()
        _ = try folder.write(Self.authority, to: "authority.cnf")
        _ = try folder.write("", to: "index.txt")
        try run([
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-subj", "/CN=localhost", "-keyout", keyFile, "-out", "request.pem",
        ])
        // `req -x509` cannot set the dates.
        try run([
            "ca", "-batch", "-selfsign", "-notext", "-config", "authority.cnf",
            "-keyfile", keyFile, "-in", "request.pem", "-out", file,
            "-startdate", validity == .future ? "20980101000000Z" : "20000101000000Z",
            "-enddate", validity == .past ? "20010101000000Z" : "20990101000000Z",
        ])
    }

    private func run(_ arguments: [String]) throws {
        let openssl = try ChildProcess("/usr/bin/openssl", arguments, in: folder.path)
        guard openssl.wait() == 0 else { throw POSIXError(.ENOEXEC) }
    }

    private static let authority = """
        [ca]
        default_ca = own
        [own]
        rand_serial = yes
        database = index.txt
        new_certs_dir = .
        default_md = sha256
        policy = any
        x509_extensions = extensions
        [any]
        commonName = supplied
        [extensions]
        subjectAltName = DNS:localhost
        basicConstraints = critical, CA:TRUE
        """
}
