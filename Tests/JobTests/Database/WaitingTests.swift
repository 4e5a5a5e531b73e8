import Foundation
import Testing

@testable import TestSupport

@Suite("A database that does not answer yet", .timeLimit(.minutes(10)))
struct WaitingTests {
    @Test(
        "A command that waits for the database says so at once, and a signal ends it",
        arguments: [
            ("run", "the run was cut short"), ("migrate", "a part may have been done already."),
            (
                "serve --socket=s --download-key-file=keys",
                "requests in progress may have got no answer. Their clients can send them again."
            ),
        ])
    func waits(command: String, meaning: String) async throws {
        let port = try LoopbackSocket.closedPort()
        let folder = try TemporaryFolder()
        let url = "postgresql://nobody@127.0.0.1:\(port)/none"
        let job = try ChildProcess(
            """
            umask 077; reconcile-job keys new > keys 2> said
            exec reconcile-job \(command) --database=\(url) 2>&1
            """, in: folder.path)
        let said = await job.said(until: "Connection refused")
        #expect(said.contains("Waiting up to 10 minutes"))
        #expect(said.contains("Check --database"))
        let end = await job.finish(by: SIGTERM)
        #expect(end.status == 143)
        #expect(end.output.contains("Stopped by SIGTERM; \(meaning)"))
    }

    @Test(
        "A command whose user waits for the answer does not wait for the database",
        arguments: ["runs", "check", "explain --user=u", "accept --list"])
    func answers(command: String) async throws {
        let port = try LoopbackSocket.closedPort()
        let url = "postgresql://nobody@127.0.0.1:\(port)/none"
        let job = try await JobProcess.shell("reconcile-job \(command) --database=\(url)")
        job.ends(69, "Connection refused | $ and that PostgreSQL is running.")
    }

    @Test(
        "What the server has answered does not change by waiting",
        arguments: [
            Refusal("a database that does not exist", database: "nowhere", status: 69),
            Refusal("a role that does not exist", role: "nobody", status: 77),
        ])
    func refusals(refusal: Refusal) async throws {
        try await Session.empty { scene in
            let address = scene.test.url(user: refusal.role ?? scene.test.name)
                .replacing(
                    /[^\/]*$/, with: refusal.database ?? scene.test.name, maxReplacements: 1)
            try await scene.steps("run --database=\(address) | \(refusal.status) | does not exist")
        }
    }

    @Test("A run that finds PostgreSQL restarting waits, and then does what it would have done")
    func restart() async throws {
        try await Session.with { scene in
            let proxy = try FaultProxy(before: scene.test.url)
            let connections = Shared(0)
            proxy.before("reconcile-job".utf8) { proxy in
                if connections.update({ $0 += 1 }) <= 3 { proxy.cut() }
            }
            let job = try scene.startShell(
                "--database=\(proxy.url(scene.test.url(user: scene.test.name))) --output=none")
            let end = await job.finish()
            #expect(end.status == 0, "\(end.error)")
            let waiting = end.error.split(separator: "\n").filter { $0.contains("Waiting") }
            #expect(waiting.count == 1, "\(end.error)")
            #expect(end.error.contains("database_answers"))
            #expect(connections.current > 3)
        }
    }
}

struct Refusal: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let role: String?
    let database: String?
    let status: Int32

    init(_ label: String, role: String? = nil, database: String? = nil, status: Int32) {
        testDescription = label
        self.role = role
        self.database = database
        self.status = status
    }
}
