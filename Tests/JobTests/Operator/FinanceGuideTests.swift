import Foundation
import Testing

@testable import TestSupport

/// To add a case: a command in the last section of docs/finance.md.
@Suite("docs/finance.md", .hangLimit)
struct FinanceGuideTests {
    @Test("Its commands on the example run, and the digests are those of the tie-out")
    func example() async throws {
        let text = try String(contentsOfFile: SourceTree.root + "/docs/finance.md", encoding: .utf8)
        let section = try #require(text.components(separatedBy: "## On the example\n").last)
        let block = try #require(section.firstMatch(of: #/```sh\n(?<commands>(.*\n)+?)```/#))
        let path = Bundle.main.bundleURL.path + ":/usr/local/bin:/usr/bin:/bin"
        let shell = try ChildProcess(
            "/bin/sh", ["-e", "-c", String(block.commands)], environment: ["PATH": path],
            in: SourceTree.root)
        let printed = await shell.finish().exits().output
        let example = SourceTree.root + "/reports/example/"
        let summary = try String(
            contentsOfFile: example + "tie-out-2026-11-09-2026-11-14/summary.json", encoding: .utf8)
        let digests = printed.split(separator: "\n").filter { $0.contains("  sales/") }
            .map { $0.prefix(64) }
        #expect(digests.count == 2)
        for digest in digests { #expect(summary.contains(digest)) }
        #expect(printed.contains("refund_recorded,mia,480000000000000113"))
    }

    @Test("It is a page of at most 120 lines")
    func length() throws {
        let text = try String(contentsOfFile: SourceTree.root + "/docs/finance.md", encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
    }
}
