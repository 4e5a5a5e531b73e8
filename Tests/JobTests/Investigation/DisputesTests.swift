import Foundation
import Testing

@testable import AppStoreSimulator
@testable import TestSupport

/// Runs the commands of docs/disputes.md in the demo world and compares their output with the page.
///
/// With `RECONCILE_REWRITE_DOCS=1` the test writes the page instead.
@Suite("docs/disputes.md", .timeLimit(.minutes(10)))
struct DisputesTests {
    private static let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../../docs/disputes.md")
        .standardized
    private static let asOf = "2026-11-20T02:00:00Z"

    @Test("Each command in docs/disputes.md prints what the page shows")
    func commands() async throws {
        let folder = try TemporaryFolder()
        let secrets = try folder.write(
            SimulatedApp.all.map { "\($0.bundle) = \($0.secret)\n" }.joined(), to: "secrets")
        var text = try String(contentsOf: Self.page, encoding: .utf8)
        try await TestDatabase.with(.nothing) { test in
            try JobProcess(["migrate", "--with-reference-app", "--database", test.url]).ends()
            let apple = try SimulatorProcess([
                "--customers=400", "--as-of", Self.asOf, "--load", test.url,
            ])
            try await RunningJob([
                "run", "--database", test.url, "--reports", folder.path + "/reports",
                "--shared-secrets", secrets, "--as-of", Self.asOf, "--allow-writable-role",
                "--production-url", apple.production, "--sandbox-url", apple.sandbox,
                "--rate=10000", "--in-flight=32", "--timeout=50s", "--output=none",
            ]).end().ends()
            let environment = [
                "DATABASE_URL": test.url, "PRODUCTION": apple.production,
                "SANDBOX": apple.sandbox, "SECRETS": secrets,
            ]
            text = try text.replacing(
                #/```sh\n(.*?)```\n\n```text\n(.*?)```\n/#.dotMatchesNewlines()
            ) {
                match in
                let printed = try Shell.output(
                    of: String(match.1), environment, in: folder.path)
                let isSame = Self.steady(printed) == Self.steady(String(match.2))
                if ProcessInfo.processInfo.environment["RECONCILE_REWRITE_DOCS"] == nil {
                    #expect(isSame, "\(match.1)\nprints\n\(printed)\nand not\n\(match.2)")
                }
                return "```sh\n\(match.1)```\n\n```text\n\(isSame ? String(match.2) : printed)```\n"
            }
        }
        if ProcessInfo.processInfo.environment["RECONCILE_REWRITE_DOCS"] != nil {
            try text.write(to: Self.page, atomically: true, encoding: .utf8)
        }
    }

    private static func steady(_ text: String) -> String {
        text.replacing(#/\d{8}T\d{6}Z-[0-9a-f]{6}/#, with: "RUN")
            .replacing(#/(asked at)\s+[^\s,]+/#) { "\($0.1) INSTANT" }
    }
}
