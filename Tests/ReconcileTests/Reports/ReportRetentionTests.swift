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
        try await reports.publish(.sample(run, status: status))
        return run.folderName
    }

    private func mark(_ mark: MarkedFolder.Mark, _ id: String) throws {
        let folder = MarkedFolder(mark, run: RunID(text: id), by: "ada", why: "x", at: .asOf)
        #expect(try folder.publish(in: reports.path, newest: nil, onlyFromHere: true))
    }

    private func outdated(_ nights: Int, afterAnother: Bool = false) throws -> [String] {
        try ReportRetention(reports: reports.path)
            .outdated(keeping: nights, afterAnother: afterAnother).map { folder in
                folder.name + (folder.obstacle.map { ": " + $0 } ?? "")
            }
    }

    @Test("Folders older than the last runs are removed, whatever the kind of run")
    func selects() async throws {
        let old = [
            try await publish(1), try await publish(2, scope: .limited(users: 3)),
            try await publish(3, isTrial: true), try await publish(4, status: .held),
        ]
        let fifth = try await publish(5)
        _ = try await publish(6, status: .incomplete)
        #expect(old[2].hasSuffix("-trial"))
        #expect(try outdated(3) == [])
        #expect(try outdated(2) == old)
        #expect(try outdated(100) == [])
        // The night that a run would add counts.
        #expect(try outdated(3, afterAnother: true) == old)
        #expect(try outdated(2, afterAnother: true) == old + [fifth])
        #expect(try outdated(4, afterAnother: true) == [])
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

    @Test("A folder with a foreign file is kept, and a symbolic link is not followed")
    func refuses() async throws {
        let first = try await publish(1)
        let second = try await publish(2)
        let third = try await publish(3)
        let fourth = try await publish(4)
        _ = try await publish(5)
        _ = try reports.write("paid", to: first + "/notes.txt")
        _ = try reports.write("{}", to: second + "/manifest.json")
        // A folder is never called removed while a file in it stays.
        try reports.remove(third + "/refunds.csv")
        try reports.make(third + "/refunds.csv")
        try reports.link("20261001T020000Z-000abc", to: reports.path + "/" + fourth)
        try reports.make("2026-by-hand")
        #expect(
            try outdated(1) == [
                first + ": it also holds \"notes.txt\"",
                second + ": its manifest.json cannot be read, or is another folder's",
                third + ": it also holds \"refunds.csv\"", fourth,
            ])
    }

    @Test("A folder is removed completely, and nothing else is")
    func removes() async throws {
        let first = try await publish(1)
        _ = try await publish(2)
        try mark(.retracted, first)
        let third = try await publish(3)
        let retention = try ReportRetention(reports: reports.path)
        for folder in retention.outdated(keeping: 1) { try retention.remove(folder) }
        #expect(try reports.names == [third, "latest"])
        #expect(try outdated(1) == [])
    }
}

@Suite("A report folder with a mark")
struct MarkedFolderTests {
    @Test("Marking a folder moves `latest` only if it leads to that folder")
    func latest() throws {
        let reports = try TemporaryFolder()
        let marked = "20261119T020000Z-00000a"
        let others = ["20261118T020000Z-00000b", "20261120T020000Z-00000c"]
        for name in others + [marked] { try reports.make(name) }
        func mark(_ run: String) throws -> Bool {
            try MarkedFolder(.retracted, run: RunID(text: run), by: "a", why: "b", at: .asOf)
                .publish(in: reports.path, newest: RunID(text: others[0]), onlyFromHere: true)
        }
        for (before, after) in [(others[1], others[1]), (marked, others[0])] {
            try reports.link("latest", to: before)
            #expect(try mark(marked))
            #expect(reports.latest == after)
            #expect(try reports.read("\(marked)/RETRACTED.json").contains("\"why\": \"b\""))
        }
        #expect(!(try mark("20261117T020000Z-00000d")))
    }
}
