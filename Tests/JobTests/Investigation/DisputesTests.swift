import Foundation
import Testing

@testable import AppStoreSimulator
@testable import TestSupport

/// Runs the commands of docs/disputes.md in the demo world and compares their output with the page.
/// With `RECONCILE_REWRITE_DOCS=1` the test writes the page instead. To add a case: a command and
/// its output in the page.
@Suite("docs/disputes.md", .hangLimit)
struct DisputesTests {
    static let page = URL(fileURLWithPath: #filePath)
        .appending(path: "../../../../docs/disputes.md").standardized

    @Test("Each command in docs/disputes.md prints what the page shows")
    func commands() async throws {
        let rewrites = ProcessInfo.processInfo.environment["RECONCILE_REWRITE_DOCS"] != nil
        let folder = try TemporaryFolder()
        let secrets = SimulatedApp.all.map { "\($0.bundle) = \($0.secret)\n" }.joined()
        let secretsFile = try folder.write(secrets, to: "secrets")
        var text = try String(contentsOf: Self.page, encoding: .utf8)
        try await TestDatabase.with(.nothing) { test in
            let asOf = "--as-of=\(AppleAnswer.asOf)"
            try await JobProcess("migrate", "--with-reference-app", "--database=\(test.url)")
                .exits()
            let apple = try await Launch.normal.start(
                ["simulate", "--customers=400", asOf, "--load=\(test.url)"])
            defer { apple.end() }
            // It prints "production=URL sandbox=URL api=URL api_sandbox=URL".
            let printed = String(decoding: apple.output.availableData, as: UTF8.self)
            let urls = printed.split { " \n=".contains($0) }.map(String.init)
            try #require(urls.count == 8)
            let environment = [
                "DATABASE_URL": test.url, "PRODUCTION": urls[1], "SANDBOX": urls[3],
                "SECRETS": secretsFile,
            ]
            try await JobProcess(
                "run", "--reports=reports", asOf, "--shared-secrets=\(secretsFile)",
                "--rate=10000", "--allow-writable-role", "--production-url=\(urls[1])",
                "--sandbox-url=\(urls[3])", "--in-flight=32", "--timeout=50s",
                "--connect-timeout=50s", "--output=none",
                with: .environment(environment), in: folder.path
            ).exits()
            let example = #/```sh\n(.*?)```\n\n```text\n(.*?)```\n/#.dotMatchesNewlines()
            let examples = text.matches(of: example)
            #expect(examples.count == text.ranges(of: "```text\n").count)
            #expect(examples.count > 0)
            for shown in examples {
                let printed = try await Self.output(of: shown.1, environment, in: folder)
                let isSame = Self.steady(printed) == Self.steady(String(shown.2))
                #expect(isSame || rewrites, "\(shown.1)\nprints\n\(printed)\nand not\n\(shown.2)")
                let now = "```sh\n\(shown.1)```\n\n```text\n\(printed)```\n"
                text = text.replacing(shown.0, with: now)
            }
        }
        if rewrites { try text.write(to: Self.page, atomically: true, encoding: .utf8) }
    }

    /// What commands of the page print. They are run by a shell because the page's reader does so.
    private static func output(
        of commands: Substring, _ environment: [String: String], in folder: TemporaryFolder
    ) async throws -> String {
        let path = Bundle.main.bundleURL.path + ":/usr/local/bin:/usr/bin:/bin"
        let shell = try ChildProcess(
            "/bin/sh", ["-c", String(commands)],
            environment: environment.merging(["PATH": path]) { $1 }, in: folder.path)
        return await shell.finish().output
    }

    /// The text without what differs from run to run.
    private static func steady(_ text: String) -> String {
        text.replacing(#/\d{8}T\d{6}Z-[0-9a-f]{6}/#, with: "RUN")
            .replacing(#/(asked at)\s+[^\s,]+/#) { "\($0.1) INSTANT" }
    }
}
