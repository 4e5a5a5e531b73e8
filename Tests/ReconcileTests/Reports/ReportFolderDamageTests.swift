import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A damaged report folder")
struct ReportFolderDamageTests {
    enum Damage: CaseIterable {
        case oneByte, shortened, lengthened, removed, link, folder, extraFile, extraFolder

        var sentence: String {
            switch self {
            case .oneByte: "refunds.csv has another SHA-256 digest"
            case .shortened, .lengthened: "refunds.csv has"
            case .removed: "refunds.csv is missing"
            case .link, .folder: "refunds.csv is not a regular file"
            case .extraFile, .extraFolder: "it also holds \"extra\\u{1B}.csv\""
            }
        }

        func strike(_ path: String) throws {
            let file = path + "/refunds.csv"
            let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            let manager = FileManager.default
            switch self {
            case .oneByte: try write(bytes.dropLast() + [bytes.last.map { $0 ^ 1 } ?? 0], to: file)
            case .shortened: try write(bytes.dropLast(), to: file)
            case .lengthened: try write(bytes + [10], to: file)
            case .removed: try manager.removeItem(atPath: file)
            case .link:
                try manager.moveItem(atPath: file, toPath: path + "/../moved.csv")
                try manager.createSymbolicLink(
                    atPath: file, withDestinationPath: "../moved.csv")
            case .folder:
                try manager.removeItem(atPath: file)
                try manager.createDirectory(atPath: file, withIntermediateDirectories: false)
            case .extraFile: try write(bytes, to: path + "/extra\u{1B}.csv")
            case .extraFolder:
                try manager.createDirectory(
                    atPath: path + "/extra\u{1B}.csv", withIntermediateDirectories: false)
            }
        }

        private func write(_ bytes: Data, to file: String) throws {
            try bytes.write(to: URL(fileURLWithPath: file))
        }
    }

    private let reports: TemporaryFolder
    private let earlier = Run.sample(suffix: 1)
    private let run = Run.sample(suffix: 2)

    init() throws { reports = try TemporaryFolder() }

    @Test(
        "`latest` does not move to a report that lost data before its atomic rename",
        arguments: Damage.allCases)
    func renamed(damage: Damage) async throws {
        try await publish(earlier)
        var questions = 0
        await #expect {
            try await publish(run) {
                questions += 1
                guard questions == 1 else { return }
                // All files are written and synced, and the rename is next.
                let staged = try #require(try reports.names.first { $0.hasPrefix(".") })
                try damage.strike(reports.path + "/" + staged)
            }
        } throws: {
            describes($0, damage.sentence)
        }
        #expect(questions == 1)
        #expect(reports.latest == earlier.id.text)
        #expect(try reports.names.filter { $0.hasPrefix(".") } == [])
    }

    @Test(
        "`latest` does not move to a damaged report that another worker left",
        arguments: Damage.allCases)
    func left(damage: Damage) async throws {
        try await publish(run)
        try await publish(earlier)
        try damage.strike(reports.path + "/" + run.id.text)
        var questions = 0
        await #expect {
            try await publish(run) { questions += 1 }
        } throws: {
            describes($0, damage.sentence)
        }
        #expect(questions == 1)
        #expect(reports.latest == earlier.id.text)
        #expect(try reports.names.filter { $0.hasPrefix(".") } == [])
    }

    @Test("A complete report that a worker left before it moved `latest` is published")
    func whole() async throws {
        try await publish(run)
        try FileManager.default.removeItem(atPath: reports.path + "/latest")
        try await publish(run)
        #expect(reports.latest == run.id.text)
        #expect(try reports.isWholeReport(run.id.text))
    }

    @Test("A damaged manifest is noticed, and a manifest of another run occupies the folder")
    func manifest() async throws {
        try await publish(earlier)
        await #expect {
            try await publish(run) {
                guard let staged = try reports.names.first(where: { $0.hasPrefix(".") }) else {
                    return
                }
                _ = try reports.write("{}", to: staged + "/manifest.json")
            }
        } throws: {
            describes($0, "manifest.json has 2 bytes, not")
        }
        #expect(reports.latest == earlier.id.text)
        let path = "\(reports.path)/\(run.id.text)"
        await #expect(throws: ReportError(.occupied, path: path)) { try await publish(run) }
    }

    @Test("The message says which report, what differs, and what to do")
    func message() {
        let error = ReportError(.contentMismatch("refunds.csv is missing"), path: "reports/x")
        #expect(
            error.description == """
                The reports at reports/x differ from what was written: refunds.csv is missing. \
                `latest` was not updated. Check the disk, move the folder away, then run again.
                """)
    }

    private func publish(
        _ run: Run, fence: () async throws -> Void = {}
    ) async throws {
        let folder = try ReportFolder(reports: reports.path, run: run)
        try await folder.fill([.refunds: [.sample(.refundRecorded)]])
        _ = try await folder.publish(
            .sample(run, findings: [.refundRecorded]), codeVersion: "0.1.0", fence: fence)
    }

    private func describes(_ error: any Error, _ sentence: String) -> Bool {
        let text = "\(error)"
        return text.hasPrefix(
            "The reports at \(reports.path)/\(run.id.text) differ from what was written")
            && text.contains(sentence)
    }
}
