import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// Who owns a folder may write in it whatever its mode.
/// To add a case: a `Case` with the owner of the folder, the account that writes, and whether it is
/// refused.
@Suite("A reports folder of another account")
struct ReportFolderOwnerTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let owner: uid_t
        let account: uid_t
        let isRefused: Bool

        init(_ label: String, owner: uid_t, account: uid_t, isRefused: Bool) {
            testDescription = label
            self.owner = owner
            self.account = account
            self.isRefused = isRefused
        }
    }

    @Test(
        "Only root works in a folder that is neither its own nor root's",
        arguments: [
            Case("one's own", owner: 1_000, account: 1_000, isRefused: false),
            Case("root's", owner: 0, account: 1_000, isRefused: false),
            Case("another's", owner: 54_321, account: 1_000, isRefused: true),
            Case("another's, for root", owner: 54_321, account: 0, isRefused: false),
            Case("root's own", owner: 0, account: 0, isRefused: false),
        ])
    func ownershipError(row: Case) {
        var status = stat()
        status.st_mode = S_IFDIR | 0o750
        status.st_uid = row.owner
        let error = ReportsDirectory.ownershipError(status, for: row.account)
        #expect(error == (row.isRefused ? .ownedByAnother(row.owner) : nil))
    }

    @Test("A folder in which group or others may write is refused for root, too")
    func writable() {
        var status = stat()
        status.st_mode = S_IFDIR | 0o770
        status.st_uid = 54_321
        #expect(ReportsDirectory.ownershipError(status, for: 0) == .writableByOthers(mode: 0o770))
    }

    @Test(
        "The message of a refusal names the user to run the command as, by name if there is one",
        arguments: [(owner: uid_t(0), name: "root"), (54_321, "54321")])
    func advice(owner: uid_t, name: String) {
        #expect(
            ReportError(.ownedByAnother(owner), path: "/r").description == """
                /r belongs to user \(name), who could replace reports. Run this as user \(name), \
                or give another folder with --reports.
                """)
    }

    @Suite(
        "Root in a reports folder of another account",
        .enabled(if: geteuid() == 0, "Only root can give a folder away."))
    struct Root {
        private let temporary: TemporaryFolder
        private let reports: String
        private let owner: uid_t = 54_321
        private let group: gid_t = 54_322
        private let run = Run.sample()

        init() throws {
            temporary = try TemporaryFolder()
            reports = temporary.path + "/reports"
            try temporary.folder().makeFolder("reports", mode: 0o750)
            try #require(chown(reports, owner, group) == 0)
        }

        private struct Owner: Hashable {
            let user: uid_t
            let group: gid_t
        }

        /// Of each entry that is not a link.
        private func owners() throws -> Set<Owner> {
            let entries = try FileManager.default.subpathsOfDirectory(atPath: reports)
            var owners: Set<Owner> = []
            for path in [reports] + entries.map({ reports + "/" + $0 }) {
                var status = stat()
                try #require(lstat(path, &status) == 0)
                guard status.st_mode & S_IFMT != S_IFLNK else { continue }
                owners.insert(Owner(user: status.st_uid, group: status.st_gid))
            }
            return owners
        }

        private func asOwner(_ command: String...) throws {
            let user = ["--reuid=\(owner)", "--regid=\(group)", "--clear-groups"]
            let process = try ChildProcess("/usr/bin/setpriv", user + command, in: temporary.path)
            #expect(process.wait() == 0, "\(command)")
        }

        private func publish() async throws {
            let reports = try ReportFolder.check(reports)
            let folder = try ReportFolder(reports: reports, run: run)
            try await temporary.publish(.sample(run), by: folder)
        }

        @Test("What root publishes belongs to the folder's owner and group")
        func published() async throws {
            try await publish()
            #expect(try owners() == [Owner(user: owner, group: group)])
            let names = try temporary.names(in: "reports")
            #expect(names == [run.id.text, "latest"])
        }

        @Test("What root adds to a published folder belongs to that folder's owner")
        func marked() async throws {
            try await publish()
            let mark = MarkedFolder(.retracted, run: run.id, by: "ada", why: "x", at: .asOf)
            #expect(try mark.publish(in: reports, newest: nil))
            #expect(try temporary.names(in: "reports/" + run.id.text).contains("RETRACTED.json"))
            #expect(try owners() == [Owner(user: owner, group: group)])
        }

        @Test("The owner can read, replace and remove what root has published")
        func usable() async throws {
            try await publish()
            try #require(chmod(temporary.path, 0o755) == 0)
            for name in ["report.xlsx", "manifest.json"] {
                try asOwner("sha256sum", "reports/latest/" + name)
            }
            try asOwner("ln", "-s", "elsewhere", "reports/.next")
            try asOwner("mv", "-T", "reports/.next", "reports/latest")
            try asOwner("mv", "reports/\(run.id)", "reports/.gone")
            try asOwner("rm", "-r", "reports/.gone")
            #expect(try temporary.names(in: "reports") == ["latest"])
        }

        @Test("--reports-group goes before the group of the folder")
        func named() async throws {
            let named = try ReportGroup(named: "54323")
            let directory = try ReportFolder.check(reports, group: named)
            let folder = try ReportFolder(reports: directory, run: run, group: named)
            try await temporary.publish(.sample(run), by: folder)
            #expect(try owners() == [Owner(user: owner, group: 54_323)])
        }
    }
}
