import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The check of the reports folder before a run")
struct ReportFolderCheckTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    @Test("A missing folder is created, one that exists keeps its mode, and nothing is left in it")
    func makes() throws {
        let path = place.path + "/reports"
        try ReportFolder.check(path)
        #expect(try place.mode(of: "reports") == 0o750)
        try #require(chmod(path, 0o770) == 0)
        try ReportFolder.check(path)
        #expect(try place.mode(of: "reports") == 0o770)
        #expect(try place.names(in: "reports") == [])
    }

    @Test("Leftovers of a killed check do not stop a later one with the same process id")
    func killedCheck() throws {
        for name in [".probe-\(getpid()).partial", ".probe-\(getpid())-moved.partial"] {
            try place.make(name)
            _ = try place.write("probe\n", to: name + "/probe")
        }
        try place.link(".latest.partial", to: "20261120T020000Z-000001")
        try ReportFolder.check(place.path)
        #expect(try place.names == [])
    }

    @Test("The check leaves files of living processes and of other programs alone")
    func living() throws {
        let living = try ReportFolder(reports: place.path, run: .sample())
        for name in [".upload.partial", "notes.partial"] { _ = try place.write("x", to: name) }
        let before = try place.names
        try ReportFolder.check(place.path)
        #expect(try place.names == before)
        withExtendedLifetime(living) {}
    }

    @Test("A missing parent, a file, and a `latest` that is not a link are refused")
    func refuses() throws {
        for name in ["file", "latest"] { _ = try place.write("x", to: name) }
        for (path, name, reason) in [
            ("/no/reports", "/no/reports", .cannotCreate(ENOENT)),
            ("/file", "/file", .cannotCreate(ENOTDIR)), ("", "/latest", .occupied),
        ] as [(String, String, ReportError.Reason)] {
            #expect(throws: ReportError(reason, path: place.path + name)) {
                try ReportFolder.check(place.path + path)
            }
        }
    }

    @Test("An error says what failed, and what to do")
    func messages() {
        let errors = [
            .making("reports", EACCES), .making("reports/.x", ENOSPC),
            ReportError(.occupied, path: "reports/latest"),
            ReportError(.contentMismatch("refunds.csv is missing"), path: "reports/x"),
        ]
        #expect(
            errors.map(\.description).joined(separator: "\n") == """
                Cannot write reports at reports: Permission denied. Make the folder writable for \
                this user, or give another one with --reports.
                Writing reports/.x failed: No space left on device. Nothing was published. \
                Free space or repair the disk, then run again.
                reports/latest already exists and was not created by this job. Nothing was \
                published. Move it away, then run again.
                The reports at reports/x differ from what was written: refunds.csv is missing. \
                `latest` was not updated. Check the disk, move the folder away, then run again.
                """)
    }
}

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

    private func publish(_ named: ReportGroup? = nil) async throws {
        let folder = try ReportFolder(reports: parent, run: .sample(), group: named)
        _ = try await folder.publish(.sample(), codeVersion: "0.1.0", fence: {})
    }

    /// The mode and the group of a file or folder.
    private func status(of name: String) throws -> [UInt32] {
        var status = stat()
        try #require(lstat(place.path + "/" + name, &status) == 0)
        return [status.st_mode & 0o7777, status.st_gid]
    }

    private func expectFiles(_ count: Int) throws {
        let names = try place.names(in: "finance/\(id)")
        #expect(names.count == count)
        for name in names {
            #expect(try status(of: "finance/\(id)/\(name)") == [0o640, group], "\(name)")
        }
    }

    @Test("Run folders, their files and a created reports folder keep the parent's setgid group")
    func inherits() async throws {
        try await publish()
        #expect(try status(of: "finance/\(id)") == [0o2750, group])
        try expectFiles(21)
        try ReportFolder.check(parent + "/reports")
        #expect(try status(of: "finance/reports") == [0o2750, group])
    }

    @Test("--reports-group sets the group of a run's folder under any umask and parent")
    func named() async throws {
        try #require(chmod(parent, 0o700) == 0 && chown(parent, uid_t.max, getegid()) == 0)
        let named = try ReportGroup(named: String(group))
        try ReportFolder.check(parent, group: named)
        #expect(try status(of: "finance") == [0o750, group])
        try await publish(named)
        #expect(try status(of: "finance/\(id)") == [0o750, group])
        let mark = MarkedFolder(.retracted, run: Run.sample().id, by: "ada", why: "x", at: .asOf)
        #expect(try mark.publish(in: parent, newest: nil))
        try expectFiles(22)
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
        try await publish()
        #expect(try status(of: "finance/\(id)").first == 0o750)
    }
}
