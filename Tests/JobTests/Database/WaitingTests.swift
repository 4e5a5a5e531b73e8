import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: copy a test, with the verbs in `Tests/README.md`.
@Suite("A database that does not answer yet", .hangLimit)
struct WaitingTests {
    struct Wait: CustomTestStringConvertible, Sendable {
        let words: [String]
        /// What a stop means for the command.
        let meaning: String

        var testDescription: String { words.joined(separator: " ") }
    }

    @Test(
        "A command that waits for the database says so at once, and a signal ends it",
        arguments: [
            Wait(words: ["run"], meaning: "the run was cut short"),
            Wait(words: ["migrate"], meaning: "a part may have been done already."),
            Wait(
                words: ["serve", "--socket=s", "--download-key-file=keys"],
                meaning: """
                    requests in progress may have got no answer. Their clients can send them again.
                    """),
        ])
    func waits(wait: Wait) async throws {
        let port = try LoopbackSocket.closedPort()
        let folder = try TemporaryFolder()
        try folder.write(KeyRing.newLine() + "\n", to: "keys")
        let url = "postgresql://nobody@127.0.0.1:\(port)/none"
        let job = try await Launch.joined.start(
            wait.words + ["--database=\(url)"], in: folder.path)
        let said = await job.said(until: "Connection refused")
        #expect(said.contains("Waiting up to 10 minutes"))
        #expect(said.contains("Check --database"))
        await job.finish(by: SIGTERM).exits(143).prints("Stopped by SIGTERM; \(wait.meaning)")
    }

    @Test(
        "A command whose user waits for the answer does not wait for the database",
        arguments: [["runs"], ["check"], ["explain", "--user=u"], ["accept", "--list"]])
    func answers(words: [String]) async throws {
        let port = try LoopbackSocket.closedPort()
        let url = "postgresql://nobody@127.0.0.1:\(port)/none"
        try await JobProcess(words: words + ["--database=\(url)"]).exits(69)
            .says("Connection refused").advises("and that PostgreSQL is running.")
    }

    @Test("What the server has answered does not change by waiting")
    func refusals() async throws {
        try await Session.empty { session in
            let nowhere = session.login.dropLast(session.test.name.count) + "nowhere"
            try await session.run("--database=\(nowhere)").exits(69).says("does not exist")
            let nobody = session.test.url(user: "nobody")
            try await session.run("--database=\(nobody)").exits(77).says("does not exist")
        }
    }

    @Test("A run that finds PostgreSQL restarting waits, and then does what it would have done")
    func restart() async throws {
        try await Session.with { session in
            let proxy = try FaultProxy(before: session.test.url)
            let connections = Shared(0)
            proxy.before("reconcile-job".utf8) { proxy in
                if connections.update({ $0 += 1 }) <= 3 { proxy.cut() }
            }
            let end = try await session.run(
                "--database=\(proxy.url(session.login))", "--output=none"
            ).exits().logs("database_answers")
            let waiting = end.logged.filter { $0.contains("Waiting") }
            #expect(waiting.count == 1, "\(end.error)")
            #expect(connections.current > 3)
        }
    }
}
