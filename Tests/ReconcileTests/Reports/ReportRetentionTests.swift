import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The report folders that --keep removes")
struct ReportRetentionTests {
    private let reports: TemporaryFolder

    init() throws { reports = try TemporaryFolder() }

    private func publish(
        _ day: Int, status: RunSummary.Status = .complete, scope: RunScope = .everything,
        isTrial: Bool = false
    ) async throws -> String {
        let start = Instant(milliseconds: 1_793_498_400_000 + Int64(day - 1) * 86_400_000)
        let run = Run(
            id: RunID(startedAt: start, suffix: 0xABC), asOf: start, scope: scope,
            isTrial: isTrial)
        _ = try await ReportFolder(reports: reports.path, run: run)
            .publish(.sample(run, status: status), codeVersion: "0.1.0", fence: {})
        return run.folderName
    }

    private func mark(_ mark: MarkedFolder.Mark, _ id: String) throws {
        let folder = MarkedFolder(mark, run: RunID(text: id), by: "ada", why: "x", at: .asOf)
        #expect(try folder.publish(in: reports.path, newest: nil, onlyFromHere: true))
    }

    private func outdated(_ nights: Int) throws -> [String] {
        try ReportRetention(reports: reports.path).outdated(keeping: nights).map { folder in
            folder.name + (folder.obstacle.map { ": " + $0 } ?? "")
        }
    }

    @Test("Folders older than the last runs are removed, whatever the kind of run")
    func selects() async throws {
        let first = try await publish(1)
        let partial = try await publish(2, scope: .limited(users: 3))
        let trial = try await publish(3, isTrial: true)
        let held = try await publish(4, status: .held)
        _ = try await publish(5)
        _ = try await publish(6, status: .incomplete)
        #expect(trial.hasSuffix("-trial"))
        #expect(try outdated(3) == [])
        #expect(try outdated(2) == [first, partial, trial, held])
        #expect(try outdated(100) == [])
    }

    @Test("Held and retracted runs do not count towards --keep")
    func counts() async throws {
        let first = try await publish(1)
        let second = try await publish(2)
        let retracted = try await publish(3)
        try mark(.retracted, retracted)
        let held = try await publish(4, status: .held)
        _ = try await publish(5)
        #expect(try outdated(2) == [first])
        try mark(.released, held)
        #expect(try outdated(2) == [first, second, retracted])
    }

    @Test("The folder that latest leads to is never removed")
    func spares() async throws {
        let first = try await publish(1)
        let second = try await publish(2)
        _ = try await publish(3)
        for spelling in [first, "./" + first, first + "/", reports.path + "/" + first] {
            try ReportsDirectory(path: reports.path).link("latest", to: spelling)
            #expect(try outdated(1) == [second], "\(spelling)")
        }
        let retention = try ReportRetention(reports: reports.path)
        #expect(throws: ReportError.self) {
            try retention.remove(ReportRetention.Folder(name: first, obstacle: nil))
        }
        #expect(try reports.names.contains(first))
    }

    @Test("--keep counts the night that a run would add")
    func another() async throws {
        let first = try await publish(1)
        let second = try await publish(2)
        let retention = try ReportRetention(reports: reports.path)
        #expect(retention.outdated(keeping: 2, afterAnother: true).map(\.name) == [first])
        #expect(retention.outdated(keeping: 1, afterAnother: true).map(\.name) == [first, second])
        #expect(retention.outdated(keeping: 3, afterAnother: true).isEmpty)
    }

    @Test("--keep never calls a folder removed whose files stay")
    func staysWhole() async throws {
        let first = try await publish(1)
        _ = try await publish(2)
        let file = reports.path + "/" + first + "/refunds.csv"
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(
            atPath: file, withIntermediateDirectories: false)
        #expect(try outdated(1) == [first + ": it also holds \"refunds.csv\""])
    }

    @Test("A folder with a foreign file is kept, and a symbolic link is not followed")
    func refuses() async throws {
        let first = try await publish(1)
        let second = try await publish(2)
        let third = try await publish(3)
        _ = try await publish(4)
        _ = try reports.write("paid", to: first + "/notes.txt")
        _ = try reports.write("{}", to: second + "/manifest.json")
        try FileManager.default.createSymbolicLink(
            atPath: reports.path + "/20261001T020000Z-000abc",
            withDestinationPath: reports.path + "/" + third)
        try FileManager.default.createDirectory(
            atPath: reports.path + "/2026-by-hand", withIntermediateDirectories: false)
        #expect(
            try outdated(1) == [
                first + ": it also holds \"notes.txt\"",
                second + ": its manifest.json cannot be read, or is another folder's", third,
            ])
    }

    @Test("A folder is removed completely, and nothing else is")
    func removes() async throws {
        let first = try await publish(1)
        let second = try await publish(2)
        try mark(.retracted, first)
        _ = try await publish(3)
        let retention = try ReportRetention(reports: reports.path)
        for folder in retention.outdated(keeping: 1) { try retention.remove(folder) }
        let names = try reports.names
        #expect(names.count == 2 && names.contains("latest"))
        #expect(!names.contains(first) && !names.contains(second))
        #expect(try outdated(1) == [])
    }
}
