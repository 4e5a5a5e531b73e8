import Foundation

@testable import Reconcile

/// PgBouncer in front of the tests' PostgreSQL, as Debian packages it. Every client is the role
/// `postgres` of the server.
final class PgBouncer: Sendable {
    enum Mode: String, CaseIterable, Sendable { case session, transaction, statement }

    private let process: ChildProcess
    private let folder: TemporaryFolder
    private let port: UInt16
    private let server: UInt16

    /// - Parameter settings: further lines of its configuration file.
    init(_ mode: Mode, before url: String, poolSize: Int = 6, settings: [String] = []) throws {
        server = url.firstMatch(of: /@127\.0\.0\.1:(\d+)\//).flatMap { UInt16($0.1) } ?? 0
        folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        let own =
            [
                "[databases]", "* = host=127.0.0.1 port=\(server) user=postgres", "[pgbouncer]",
                "listen_addr = 127.0.0.1", "unix_socket_dir =", "auth_type = any",
                "pool_mode = \(mode.rawValue)", "default_pool_size = \(poolSize)",
            ] + settings
        // Another process may take the port before PgBouncer does, which then ends.
        for _ in 1...20 {
            let (socket, port) = try LoopbackSocket.listen()
            close(socket)
            let lines = own + ["listen_port = \(port)"]
            try folder.write(lines.joined(separator: "\n") + "\n", to: "ini", mode: 0o644)
            let process = try Self.started(folder.path + "/ini")
            if Self.text(of: process.error, until: "process up").contains("process up") {
                self.port = port
                self.process = process
                return
            }
            process.end()
        }
        throw POSIXError(.ENOENT)
    }

    private static func started(_ settings: String) throws -> ChildProcess {
        // It refuses to run as root.
        let user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
        let path = "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
        return try ChildProcess(
            "/usr/bin/env", [path] + (getuid() == 0 ? user : []) + ["pgbouncer", settings])
    }

    deinit { process.end() }

    func url(_ url: String) -> String {
        url.replacing(":\(server)/", with: ":\(port)/", maxReplacements: 1)
    }

    /// What a statement returns on each of five connections to the pool that are open together.
    func answers(to sql: String, on url: String) async throws -> Set<String?> {
        var connections: [PostgresConnection] = []
        var answers: Set<String?> = []
        for _ in 0..<5 {
            let connection = try await PostgresConnection.opened(self.url(url))
            answers.formUnion(try await connection.texts(sql))
            connections.append(connection)
        }
        for connection in connections { await connection.close() }
        return answers
    }

    /// Keeps connections of other clients busy as long as `body` runs.
    func busy(
        with clients: Int, on url: String, while body: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<clients {
                group.addTask {
                    let client = try await PostgresConnection.opened(self.url(url))
                    while !Task.isCancelled { try await client.script("select pg_sleep(0.001)") }
                }
            }
            try await body()
            group.cancelAll()
        }
    }

    /// What is printed up to and including `end`, or everything.
    private static func text(of pipe: FileHandle, until end: String) -> String {
        var text = ""
        while !text.contains(end) {
            let data = pipe.availableData
            guard !data.isEmpty else { break }
            text += String(decoding: data, as: UTF8.self)
        }
        return text
    }
}
