import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The group of a report folder")
struct ReportFolderGroupTests {
    private let place: TemporaryFolder
    private let parent: String
    private let group: gid_t
    private let id = Run.sample().id.text

    /// A parent with the setgid bit, of another group than the process's if one is available.
    init() throws {
        place = try TemporaryFolder()
        parent = place.path + "/finance"
        var groups = [gid_t](repeating: 0, count: 64)
        let count = getgroups(Int32(groups.count), &groups)
        let other = groups.prefix(Int(max(count, 0))).first { $0 != getegid() }
        group = geteuid() == 0 ? 54_321 : other ?? getegid()
        try #require(mkdir(parent, 0o700) == 0)
        try #require(chown(parent, uid_t.max, group) == 0)
        try #require(chmod(parent, 0o2770) == 0)
    }

    @Test("A run's folder and its files keep the setgid bit and the group of the parent")
    func publishes() async throws {
        let folder = try ReportFolder(reports: parent, run: .sample())
        _ = try await folder.publish(.sample(), codeVersion: "0.1.0", fence: {})
        #expect(try status(of: "finance/\(id)") == Status(mode: 0o2750, group: group))
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(parent)/\(id)")
        #expect(names.count == 21)
        for name in names {
            #expect(
                try status(of: "finance/\(id)/\(name)") == Status(mode: 0o640, group: group),
                "\(name)")
        }
    }

    @Test("A reports folder that the check creates keeps the parent's setgid bit and group")
    func check() throws {
        try ReportFolder.check(parent + "/reports")
        #expect(try status(of: "finance/reports") == Status(mode: 0o2750, group: group))
    }

    @Test("--reports-group sets the group of a run's folder under any umask and parent")
    func named() async throws {
        try #require(chmod(parent, 0o700) == 0 && chown(parent, uid_t.max, getegid()) == 0)
        let named = try ReportGroup(named: String(group))
        try ReportFolder.check(parent, group: named)
        #expect(try status(of: "finance") == Status(mode: 0o750, group: group))
        let folder = try ReportFolder(reports: parent, run: .sample(), group: named)
        _ = try await folder.publish(.sample(), codeVersion: "0.1.0", fence: {})
        #expect(try status(of: "finance/\(id)") == Status(mode: 0o750, group: group))
        let mark = MarkedFolder(
            .retracted, run: Run.sample().id, by: "ada", why: "x", at: .asOf)
        #expect(try mark.publish(in: parent, newest: nil))
        for name in try FileManager.default.contentsOfDirectory(atPath: "\(parent)/\(id)") {
            #expect(
                try status(of: "finance/\(id)/\(name)") == Status(mode: 0o640, group: group),
                "\(name)")
        }
    }

    @Test("An unknown group is refused with what to do")
    func unknown() throws {
        #expect(try ReportGroup(named: "root").id == 0)
        let error = #expect(throws: ReportError.self) { try ReportGroup(named: "no such\ngroup") }
        #expect(
            error?.description
                == "--reports-group: there is no group \"no such\\ngroup\" on this machine."
                + " Create it (groupadd), or give another one.")
    }

    @Test("Without a setgid bit on the parent the run's folder has none")
    func plain() async throws {
        try #require(chmod(parent, 0o770) == 0)
        let folder = try ReportFolder(reports: parent, run: .sample())
        _ = try await folder.publish(.sample(), codeVersion: "0.1.0", fence: {})
        #expect(try status(of: "finance/\(id)").mode == 0o750)
    }

    private struct Status: Equatable {
        let mode: mode_t
        let group: gid_t
    }

    private func status(of name: String) throws -> Status {
        var status = stat()
        try #require(lstat(place.path + "/" + name, &status) == 0)
        return Status(mode: status.st_mode & 0o7777, group: status.st_gid)
    }
}
