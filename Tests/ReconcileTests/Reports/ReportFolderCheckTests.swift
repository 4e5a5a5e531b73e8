import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a test that makes folders under `parent` with some mode and group, and checks
/// them.
@Suite("The reports folder and its group")
struct ReportFolderCheckTests {
    private let temporary: TemporaryFolder
    private let parent: String
    private let group: gid_t
    private let id = Run.sample().id.text

    /// A parent with the setgid bit, of another group than the process's if one is available.
    init() throws {
        temporary = try TemporaryFolder()
        parent = temporary.path + "/finance"
        var groups = [gid_t](repeating: 0, count: 64)
        let count = getgroups(Int32(groups.count), &groups)
        let other = groups.prefix(Int(max(count, 0))).first { $0 != getegid() }
        group = geteuid() == 0 ? 54_321 : other ?? getegid()
        try #require(mkdir(parent, 0o700) == 0)
        try #require(chown(parent, uid_t.max, group) == 0)
        try #require(chmod(parent, 0o2750) == 0)
    }

    private func modeAndGroup(of name: String) throws -> [UInt32] {
        var status = stat()
        try #require(lstat(parent + name, &status) == 0)
        return [status.st_mode & 0o7777, status.st_gid]
    }

    private func expectFiles(_ count: Int) throws {
        let names = try temporary.names(in: "finance/\(id)")
        #expect(names.count == count)
        #expect(try names.filter { try modeAndGroup(of: "/\(id)/\($0)") != [0o640, group] } == [])
    }

    @Test("A missing folder is created, one that exists keeps its mode; only leftovers are removed")
    func makes() throws {
        let path = temporary.path + "/reports"
        try ReportFolder.check(path)
        #expect(try temporary.mode(of: "reports") == 0o750)
        #expect(try temporary.names(in: "reports") == [])
        try #require(chmod(path, 0o700) == 0)

        // A check removes leftovers of a killed one, and no file of a living or other program.
        let living = try ReportFolder(reports: path, run: .sample())
        let folder = temporary.folder("reports")
        for name in [".upload.partial", "notes.partial"] { try folder.write("", to: name) }
        let before = try temporary.names(in: "reports")
        try folder.link(".latest.partial", to: "20261120T020000Z-000001")
        try folder.write("", to: ".SIGNOFF.json.00.partial")
        for name in [".probe-\(getpid()).partial", ".probe-\(getpid())-moved.partial"] {
            try folder.makeFolder(name)
            try folder.write("probe", to: name + "/probe")
        }
        try ReportFolder.check(path)
        #expect(try temporary.names(in: "reports") == before)
        #expect(try temporary.mode(of: "reports") == 0o700)
        withExtendedLifetime(living) {}
    }

    /// An operator's mistakes in JobTests are a missing parent, a file, and a folder `latest`.
    @Test("A `latest` that is no link is refused")
    func refuses() throws {
        let latest = try temporary.write("x", to: "latest")
        #expect(throws: ReportError(.occupied, path: latest)) {
            try ReportFolder.check(temporary.path)
        }
    }

    @Test("Run folders, their files and a created reports folder keep the parent's setgid group")
    func inherits() async throws {
        try await temporary.publish(by: ReportFolder(reports: parent, run: .sample()))
        #expect(try modeAndGroup(of: "/\(id)") == [0o2750, group])
        try expectFiles(21)
        try ReportFolder.check(parent + "/reports")
        #expect(try modeAndGroup(of: "/reports") == [0o2750, group])
    }

    @Test("--reports-group sets a run folder's group under any umask and parent, if it exists")
    func named() async throws {
        try #require(chmod(parent, 0o700) == 0)
        try #require(chown(parent, uid_t.max, getegid()) == 0)
        let named = try ReportGroup(named: String(group))
        try ReportFolder.check(parent, group: named)
        #expect(try modeAndGroup(of: "") == [0o750, group])
        try await temporary.publish(by: ReportFolder(reports: parent, run: .sample(), group: named))
        #expect(try modeAndGroup(of: "/\(id)") == [0o750, group])
        let mark = MarkedFolder(.retracted, run: Run.sample().id, by: "ada", why: "x", at: .asOf)
        #expect(try mark.publish(in: parent, newest: nil))
        try expectFiles(22)
        let error = #expect(throws: ReportError.self) { try ReportGroup(named: "no such\ngroup") }
        let text = "--reports-group: there is no group \"no such\\ngroup\" on this machine."
        #expect(error?.description == text + " Create it (groupadd), or give another one.")
        #expect(try ReportGroup(named: "root").id == 0)
    }
}

/// To add a case: publish and mark folders of some days, and compare those that are left.
@Suite("The report folders that --keep removes")
struct ReportRetentionTests {
    private let reports: TemporaryFolder
    init() throws { reports = try TemporaryFolder() }

    @discardableResult
    private func publish(
        _ day: Int, _ status: Summary.Status = .complete, scope: Run.Scope = .everything,
        isTrial: Bool = false
    ) async throws -> String {
        let id = RunID(text: "2026110\(day)T020000Z-000abc")
        let run = Run(id: id, asOf: .asOf, scope: scope, isTrial: isTrial)
        try await reports.publish(.sample(run, status: status))
        return run.folderName
    }

    /// - Returns: whether there is such a folder.
    @discardableResult
    func mark(_ mark: MarkedFolder.Mark, _ id: String, newest: String? = nil) throws -> Bool {
        try MarkedFolder(mark, run: RunID(text: id), by: "ada", why: "x", at: .asOf).publish(
            in: reports.path, newest: newest.map { RunID(text: $0) }, onlyFromHere: true)
    }

    private func outdated(_ nights: Int, afterAnother isNext: Bool = false) throws -> [String] {
        try ReportRetention(reports: reports.path).outdated(keeping: nights, afterAnother: isNext)
            .map { $0.name + ($0.reasonToKeep.map { ": " + $0 } ?? "") }
    }

    @Test(
        "Folders of any kind older than N nights are removed; held and retracted ones do not count")
    func selects() async throws {
        let partial = try await publish(2, scope: .limited(users: 3))
        let old = try await [publish(1), partial, publish(3, isTrial: true), publish(4, .held)]
        let fifth = try await publish(5)
        try await publish(6, .incomplete)
        #expect(old[2].hasSuffix("-trial"))
        #expect(try [2, 3, 100].map { try outdated($0) } == [old, [], []])
        // The night that a run would add counts.
        let next = try [2, 3, 4].map { try outdated($0, afterAnother: true) }
        #expect(next == [old + [fifth], old, []])
        try mark(.released, old[3])
        #expect(try outdated(3) == Array(old.prefix(3)))
        try mark(.retracted, fifth)
        #expect(try [2, 1].map { try outdated($0) } == [Array(old.prefix(3)), old + [fifth]])
    }

    @Test("A folder is removed completely; the folder of `latest` never is")
    func removes() async throws {
        let old = try await publish(1)
        let second = try await publish(2)
        try mark(.retracted, second)
        let third = try await publish(3)
        for spelling in [old, "./" + old, old + "/", reports.path + "/" + old] {
            try ReportsDirectory(path: reports.path).link("latest", to: spelling)
            #expect(try outdated(1) == [second], "\(spelling)")
        }
        let retention = try ReportRetention(reports: reports.path)
        #expect(throws: ReportError.self) {
            try retention.remove(.init(name: old, reasonToKeep: nil))
        }
        for folder in retention.outdated(keeping: 1) { try retention.remove(folder) }
        #expect(try reports.names == [old, third, "latest"])
        #expect(try outdated(1) == [])
    }

    @Test("A folder with a foreign file is kept, and a symbolic link is not followed")
    func refuses() async throws {
        let nights = try await [publish(1), publish(2), publish(3), publish(4), publish(5)]
        // A folder is never called removed while a file in it stays.
        try reports.folder(nights[0]).write("paid\n", to: "notes.txt")
        try reports.folder(nights[1]).write("{}\n", to: "manifest.json")
        try reports.folder(nights[2]).remove("refunds.csv")
        try reports.folder(nights[2]).makeFolder("refunds.csv")
        let target = reports.path + "/" + nights[3]
        try reports.folder().link("20261001T020000Z-000abc", to: target)
        try reports.folder().makeFolder("2026-by-hand")
        #expect(
            try outdated(1) == [
                nights[0] + ": it also holds \"notes.txt\"",
                nights[1] + ": its manifest.json cannot be read, or is another folder's",
                nights[2] + ": it also holds \"refunds.csv\"", nights[3],
            ])
    }

    @Test("Marking a folder moves `latest` only if it leads to that folder")
    func marks() throws {
        let marked = "20261119T020000Z-00000a"
        let others = ["20261118T020000Z-00000b", "20261120T020000Z-00000c"]
        for name in others + [marked] { try reports.folder().makeFolder(name) }
        for (before, after) in [(others[1], others[1]), (marked, others[0])] {
            try reports.folder().link("latest", to: before)
            #expect(try mark(.retracted, marked, newest: others[0]))
            #expect(reports.latest == after)
            #expect(try reports.read("\(marked)/RETRACTED.json").contains("\"why\": \"x\""))
        }
        #expect(try !mark(.retracted, "20261117T020000Z-00000d"))
    }
}
