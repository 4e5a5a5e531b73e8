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
}

extension Currency {
    static var usd: Currency {
        get throws { try #require(Currency("USD")) }
    }
}

/// A printed JSON document with each line break and its indentation as one space; the files of
/// `reports/example` show where they are.
func oneLine(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        .joined(separator: " ")
}
