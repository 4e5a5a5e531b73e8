import Foundation
import Testing

@testable import TestSupport

/// To add a case: a `Stop`.
@Suite("A command that a signal stops", .hangLimit)
struct StoppedCommandTests {
    struct Stop: CustomTestStringConvertible, Sendable {
        let words: [String]
        let meaning: String

        var testDescription: String { words.joined(separator: " ") }

        init(_ words: String..., means meaning: String) {
            self.words = words
            self.meaning = meaning
        }
    }

    private static let unread = "its output is not complete. Give the same command again."
    private static let perhaps = """
        the run may have been changed already, and its folder not yet. Look with reconcile-job \
        runs, then give the command again with the id of that run.
        """

    @Test(
        "The last line says what the stop means for this command, and nothing of others",
        arguments: [
            Stop("runs", means: unread), Stop("explain", "--user=ann", means: unread),
            Stop("check", means: unread),
            Stop(
                "run",
                means: """
                    the run was cut short: what it recorded is kept. Give the same command again.
                    """),
            Stop(
                "report", "latest", "--reports=.",
                means: "the folder may not have been written. Give the same command again."),
            Stop(
                "retract", "latest", "--by=ada", "--why=prices", "--reports=.", means: perhaps),
            Stop(
                "release", "latest", "--by=ada", "--why=prices", "--reports=.", means: perhaps),
            Stop(
                "prune", "--before=2026-01-01T00:00:00Z",
                means: "a part may have been removed already. Give the same command again."),
            Stop(
                "migrate",
                means: "a part may have been done already. Give the same command again."),
            Stop(
                "accept", "0123456789abcdef0123456789abcdef", "--by=ada", "--why=known",
                means: "it may have been recorded already. Give the same command again."),
        ])
    func meaning(stop: Stop) async throws {
        // Takes connections, and never answers.
        let (listener, port) = try LoopbackSocket.listen()
        defer { close(listener) }
        let folder = try TemporaryFolder()
        let url = "postgresql://nobody@127.0.0.1:\(port)/none?connect_timeout=300"
        let job = try await Launch.normal.start(
            stop.words + ["--database=\(url)"], in: folder.path)
        let client = await job.inThread { accept(listener, nil, nil) }
        defer { close(client) }
        let end = await job.finish(by: SIGTERM).exits(143)
        #expect(end.lastLine.hasPrefix("reconcile-job: Stopped by SIGTERM; \(stop.meaning)"))
    }
}
