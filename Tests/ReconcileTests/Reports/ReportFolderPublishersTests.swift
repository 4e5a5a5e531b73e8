import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Several publishers of one run")
struct ReportFolderPublishersTests {
    private let reports: TemporaryFolder
    private let id = Run.sample().id.text

    init() throws { reports = try TemporaryFolder() }

    @Test("Each publisher has a staging folder of its own with a random name")
    func stagingNames() throws {
        let first = try ReportFolder(reports: reports.path, run: .sample())
        let second = try ReportFolder(reports: reports.path, run: .sample())
        let names = try reports.names
        #expect(names.count == 2)
        for name in names {
            #expect(name.hasPrefix(".\(id)."))
            #expect(name.wholeMatch(of: #/\.[^.]+\.[0-9a-f]{16}\.partial/#) != nil)
        }
        withExtendedLifetime((first, second)) {}
    }

    @Test("A publisher that gives up removes no file of another")
    func givenUp() async throws {
        let first = try ReportFolder(reports: reports.path, run: .sample())
        let before = try reports.names
        // A publisher that cannot open its folder must not remove the first one's.
        _ = try? ReportFolder(reports: reports.path, run: .sample())
        #expect(try reports.names == before)
        _ = try await first.publish(.sample(), codeVersion: "0.1.0", fence: {})
        #expect(try reports.isWholeReport(id))
        #expect(reports.latest == id)
    }

    @Test("Two publishers of the same bytes both succeed and leave one whole report")
    func sameBytes() async throws {
        let first = try ReportFolder(reports: reports.path, run: .sample())
        let second = try ReportFolder(reports: reports.path, run: .sample())
        let paths = [
            try await first.publish(.sample(), codeVersion: "0.1.0", fence: {}).path,
            try await second.publish(.sample(), codeVersion: "0.1.0", fence: {}).path,
        ]
        #expect(paths == ["\(reports.path)/\(id)", "\(reports.path)/\(id)"])
        #expect(try reports.names == [id, "latest"])
        #expect(try reports.isWholeReport(id))
    }

    @Test("Eight publishers at the same time all succeed and leave one whole report")
    func sameTime() async throws {
        let path = reports.path
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    try ReportFolder.check(path)
                    let folder = try ReportFolder(reports: path, run: .sample())
                    _ = try await folder.publish(.sample(), codeVersion: "0.1.0") {
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try reports.names == [id, "latest"])
        #expect(try reports.isWholeReport(id))
        #expect(reports.latest == id)
    }
}
