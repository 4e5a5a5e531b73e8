import CSpawn
import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case of a writable folder, add its mode.
@Suite("A reports folder that another account reaches")
struct ReportFolderAttackTests {
    private let temporary: TemporaryFolder
    private let reports: String
    private let id = Run.sample().id.text

    /// Beside the reports folder, a private one with files of names that reports have.
    init() throws {
        temporary = try TemporaryFolder()
        reports = temporary.path + "/reports"
        try temporary.folder().makeFolder("reports", mode: 0o750)
        try temporary.folder().makeFolder("private", mode: 0o700)
        for name in ["notes", "summary.json", "refunds.csv"] {
            try temporary.folder("private").write("", to: name)
        }
    }

    private func expectPrivateFilesIntact() throws {
        #expect(try temporary.names(in: "private") == ["notes", "refunds.csv", "summary.json"])
    }

    @Test("A link with the name of a leftover is removed; what it points to is not")
    func leftoverLinks() throws {
        for name in [".x.partial", ".\(id).former"] {
            try temporary.folder("reports").link(name, to: "../private")
        }
        try ReportFolder.check(reports)
        try expectPrivateFilesIntact()
        #expect(try !temporary.names(in: "reports").contains(".x.partial"))
    }

    @Test("Removing a folder removes nothing through a link that replaced it")
    func swappedFolder() throws {
        try temporary.folder("reports").link("swapped", to: "../private")
        try ReportsDirectory(path: reports).remove(folder: "swapped")
        try expectPrivateFilesIntact()
    }

    @Test("A staging folder that was swapped for a link is discarded without following the link")
    func swappedStagingFolder() throws {
        let folder = try ReportFolder(reports: reports, run: .sample())
        let staged = try #require(try temporary.names(in: "reports").first)
        try temporary.folder("reports").move(staged, to: "taken")
        try temporary.folder("reports").link(staged, to: "../private")
        _ = consume folder
        try expectPrivateFilesIntact()
        try ReportFolder.check(reports)
        try expectPrivateFilesIntact()
    }

    @Test("A link with the name of a replaced folder is not followed when replacing is finished")
    func formerLink() throws {
        try temporary.folder("reports").makeFolder(id)
        try temporary.folder("reports").link(".\(id).former", to: "../private")
        _ = try FoldersOfUser(reports: reports)
        try expectPrivateFilesIntact()
        try temporary.folder("reports").remove(id)
        _ = try FoldersOfUser(reports: reports)
        #expect(try !temporary.names(in: "reports").contains(id), "A link never gets a run's name.")
    }

    @Test(
        "A folder in which group or others may write is refused, sticky or not, by every writer",
        arguments: [0o770, 0o757, 0o777, 0o1777, 0o2770])
    func refusesWritable(mode: mode_t) throws {
        try #require(chmod(reports, mode) == 0)
        let error = #expect(throws: ReportError.self) { try ReportFolder.check(reports) }
        let octal = "0" + String(mode, radix: 8)
        #expect(
            error?.description == """
                Other accounts may write in \(reports) (mode \(octal)): they could replace \
                reports. Run `chmod g-w,o-w` on it, or give a folder in it with --reports; \
                --reports-group lets a group read.
                """)
        #expect(throws: ReportError.self) { try ReportFolder(reports: reports, run: .sample()) }
        #expect(throws: ReportError.self) { try ReportRetention(reports: reports) }
        #expect(throws: ReportError.self) { try FoldersOfUser(reports: reports) }
        #expect(throws: ReportError.self) { try ReportsDirectory(path: reports) }
        // The check made nothing.
        #expect(try temporary.names(in: "reports") == [])
    }

    @Test("A file system that renames nothing over another name is found by the check")
    func withoutRename() async throws {
        let path = reports
        let error = await onThread { () -> ReportError? in
            do throws(ReportError) {
                let reports = try ReportsDirectory(path: path)
                guard cspawn_refuse(cspawn_renameat, UInt32(EPERM)) == 0 else { return nil }
                try reports.requireLinks()
                return nil
            } catch {
                return error
            }
        }
        #expect(error == ReportError(.noLinks(EPERM), path: reports))
        #expect(try temporary.names(in: "reports") == [])
    }

    @Test("A file system without symbolic links is found by the check")
    func withoutLinks() async throws {
        let path = reports
        let error = await onThread { () -> ReportError? in
            guard cspawn_refuse(cspawn_symlinkat, UInt32(EPERM)) == 0 else { return nil }
            do throws(ReportError) {
                try ReportFolder.check(path)
                return nil
            } catch {
                return error
            }
        }
        #expect(
            error?.description == """
                The file system of \(reports) does not make symbolic links and rename them over \
                each other (Operation not permitted), as `latest` needs. Give a folder on another \
                file system with --reports.
                """)
        #expect(try temporary.names(in: "reports") == [])
    }
}

/// Runs `body` on a thread of its own, which ends with it.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}
