import Foundation
import Testing

@testable import TestSupport

/// To add a case: a command in the last section of docs/finance.md.
@Suite("docs/finance.md", .hangLimit)
struct FinanceGuideTests {
    private static let root =
        URL(fileURLWithPath: #filePath).appending(path: "../../../..").standardized

    private func read(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    @Test("Its commands on the example run, and the digests are those of the tie-out")
    func example() async throws {
        let section = try #require(
            read("docs/finance.md").components(separatedBy: "## On the example\n").last)
        let block = try #require(section.firstMatch(of: #/```sh\n(?<commands>(.*\n)+?)```/#))
        let path = Bundle.main.bundleURL.path + ":/usr/local/bin:/usr/bin:/bin"
        let shell = try ChildProcess(
            "/bin/sh", ["-e", "-c", String(block.commands)], environment: ["PATH": path],
            in: Self.root.path)
        let printed = await shell.finish().exits().output
        let summary = try read("reports/example/tie-out-2026-11-09-2026-11-14/summary.json")
        let digests = printed.split(separator: "\n").filter { $0.contains("  sales/") }
            .map { $0.prefix(64) }
        #expect(digests.count == 2)
        for digest in digests { #expect(summary.contains(digest)) }
        #expect(printed.contains("refund_recorded,mia,480000000000000113"))
    }

    @Test("It is a page of at most 120 lines")
    func length() throws {
        #expect(try read("docs/finance.md").components(separatedBy: "\n").count <= 121)
    }
}
