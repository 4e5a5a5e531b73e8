import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

extension TemporaryFolder {
    /// Publishes a run with these rows as the release 0.1.0.
    @discardableResult
    func publish(
        _ summary: RunSummary = .sample(), _ rows: [FindingFile: [ReportedFinding]] = [:],
        unverified: [UnverifiedReceipt] = [], by folder: ReportFolder? = nil,
        fence: () async throws -> Void = {}
    ) async throws -> String {
        let folder = try folder ?? ReportFolder(reports: path, run: summary.run)
        try await folder.fill(rows, unverified: unverified)
        return try await folder.publish(summary, codeVersion: "0.1.0", fence: fence).path
    }

    /// Executes a script in the folder.
    func sh(_ script: String) throws {
        let path = ["PATH": "/usr/bin:/bin"]
        let shell = try ChildProcess("/bin/sh", ["-ec", script], environment: path, in: self.path)
        #expect(shell.wait() == 0, "\(script)")
    }

    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
    }

    /// The only entry that is being written.
    var staged: String {
        get throws { try #require(names.first { $0.hasPrefix(".") }) }
    }
}

extension Currency {
    static var usd: Currency {
        get throws { try #require(Currency("USD")) }
    }
}

/// A printed JSON document with each line break and its indentation as one space. Each line must
/// be indented by two spaces for each open bracket, and the last one must end.
func oneLine(_ bytes: [UInt8]) -> String {
    let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n")
    var depth = 0
    for line in lines.dropLast() {
        let text = line.drop { $0 == " " }
        if "]}".contains(text.first ?? " ") { depth -= 1 }
        #expect(line.count - text.count == 2 * depth, "\(line)")
        if "[{".contains(text.last ?? " ") { depth += 1 }
    }
    #expect(depth == 0 && lines.last == "")
    return lines.dropLast().map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
}
