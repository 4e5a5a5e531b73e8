import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Fencing of a publication")
struct ReportFolderFenceTests {
    private struct TakenOver: Error {}

    private let reports: TemporaryFolder
    private let earlier = Run.sample(suffix: 1)
    private let run = Run.sample(suffix: 2)

    init() throws { reports = try TemporaryFolder() }

    @Test("The lease is checked right before the rename and right before `latest` moves")
    func asked() async throws {
        try await publish(earlier)
        var seen: [Set<String>] = []
        var targets: [String?] = []
        try await publish(run) {
            seen.append(Set(try reports.names.filter { !$0.hasPrefix(".") }))
            targets.append(reports.latest)
            // All files are written by then.
            let staged = try reports.names.first { $0.hasPrefix(".") }
            #expect(try reports.isWholeReport(staged ?? run.id.text))
        }
        #expect(seen == [[earlier.id.text, "latest"], [earlier.id.text, "latest", run.id.text]])
        #expect(targets == [earlier.id.text, earlier.id.text])
        #expect(reports.latest == run.id.text)
    }

    @Test("A publisher that is fenced off before the rename publishes nothing and leaves nothing")
    func refusedBeforeTheRename() async throws {
        try await publish(earlier)
        let other = try ReportFolder(reports: reports.path, run: run)
        let before = try reports.names
        await #expect(throws: TakenOver.self) { try await publish(run) { throw TakenOver() } }
        #expect(try reports.names == before)
        #expect(reports.latest == earlier.id.text)
        _ = try await other.publish(.sample(run), codeVersion: "0.1.0", fence: {})
        #expect(try reports.isWholeReport(run.id.text))
    }

    @Test("A publisher that is fenced off before `latest` moves leaves the report and the link")
    func refusedBeforeLatest() async throws {
        try await publish(earlier)
        var count = 0
        await #expect(throws: TakenOver.self) {
            try await publish(run) {
                count += 1
                if count == 2 { throw TakenOver() }
            }
        }
        #expect(try reports.names == [earlier.id.text, run.id.text, "latest"])
        #expect(try reports.isWholeReport(run.id.text))
        #expect(reports.latest == earlier.id.text)
    }

    @Test("A publisher that is fenced off does not move `latest` to an existing report")
    func refusedWithAReport() async throws {
        try await publish(run)
        try await publish(earlier)
        await #expect(throws: TakenOver.self) { try await publish(run) { throw TakenOver() } }
        #expect(try reports.names == [earlier.id.text, run.id.text, "latest"])
        #expect(reports.latest == earlier.id.text)
    }

    @Test("A partial run checks the lease once, since `latest` does not move")
    func partial() async throws {
        var count = 0
        try await publish(.sample(scope: .limited(users: 1), suffix: 3)) { count += 1 }
        #expect(count == 1)
    }

    private func publish(
        _ run: Run, fence: () async throws -> Void = {}
    ) async throws {
        let folder = try ReportFolder(reports: reports.path, run: run)
        _ = try await folder.publish(.sample(run), codeVersion: "0.1.0", fence: fence)
    }
}
