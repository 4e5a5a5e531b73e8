import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

extension TemporaryFolder {
    /// Publishes a run as the release 0.1.0, with these rows, which its summary then counts, too.
    /// - Parameter unverified: by default as many rows as the summary counts.
    @discardableResult
    func publish(
        _ summary: Summary = .sample(), _ rows: [ReportedFinding] = [],
        unverified: [UnverifiedReceipt]? = nil, by folder: ReportFolder? = nil,
        fence: () async throws -> Void = {}
    ) async throws -> String {
        var summary = summary
        for row in rows {
            summary.findings.add(row.finding.kind, row.finding.severity, row.lifecycle)
            try summary.money.add(row)
            try summary.ageing.add(row, asOf: summary.run.asOf)
        }
        let folder = try folder ?? ReportFolder(reports: path, run: summary.run)
        let unchecked = (0..<summary.receipts[.unverified]).map { _ in UnverifiedReceipt.sample() }
        let files = Dictionary(grouping: rows) { $0.finding.kind.file }
        try await folder.fill(files, unverified: unverified ?? unchecked)
        return try await folder.publish(summary, codeVersion: "0.1.0", fence: fence).path
    }

    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
    }
}

// For tests in which nobody replaces the folder.

extension ReportFolder {
    convenience init(
        reports path: String, run: Run, group: ReportGroup? = nil,
        rowsPerFile: Int = CSV.rowsPerFile
    ) throws(ReportError) {
        try self.init(
            reports: ReportsDirectory(path: path), run: run, group: group, rowsPerFile: rowsPerFile)
    }
}

extension ReportRetention {
    init(reports path: String) throws(ReportError) {
        self.init(reports: try ReportsDirectory(path: path))
    }
}

extension FoldersOfUser {
    init(reports path: String) throws(ReportError) {
        try self.init(reports: ReportsDirectory(path: path))
    }
}

extension MarkedFolder {
    func publish(
        in path: String, newest: RunID?, onlyFromHere: Bool = false
    ) throws(ReportError) -> Bool {
        try publish(
            in: ReportsDirectory(path: path), newest: newest, onlyFromHere: onlyFromHere)
    }
}

extension Currency {
    static var usd: Currency { get throws { try #require(Currency("USD")) } }
}

/// A printed JSON document, with its line breaks and indentation as single spaces.
func oneLine(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
}
