import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A damaged report folder")
struct ReportFolderDamageTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What the message says of it.
        let sentence: String
        /// Damages `file` in the folder of a run.
        let strike: @Sendable (_ reports: TemporaryFolder, _ file: String) throws -> Void

        init(
            _ name: String, _ sentence: String,
            _ strike: @escaping @Sendable (TemporaryFolder, String) throws -> Void
        ) {
            (testDescription, self.sentence, self.strike) = (name, sentence, strike)
        }

        /// The file has other bytes.
        init(
            _ name: String, _ sentence: String, _ change: @escaping @Sendable (inout Data) -> Void
        ) {
            self.init(name, sentence) { reports, file in
                var bytes = Data(try reports.bytes(file))
                change(&bytes)
                try bytes.write(to: URL(fileURLWithPath: reports.path + "/" + file))
            }
        }
    }

    static let damages = [
        Damage("one byte", "refunds.csv has another SHA-256 digest") { $0[$0.count - 1] ^= 1 },
        Damage("shortened", "refunds.csv has") { $0.removeLast() },
        Damage("lengthened", "refunds.csv has") { $0.append(10) },
        Damage("removed", "refunds.csv is missing") { try $0.remove($1) },
        Damage("a link", "refunds.csv is not a regular file") { reports, file in
            let path = reports.path + "/"
            try FileManager.default.moveItem(atPath: path + file, toPath: path + "moved.csv")
            try reports.link(file, to: "../moved.csv")
        },
        Damage("a folder", "refunds.csv is not a regular file") { reports, file in
            try reports.remove(file)
            try reports.make(file)
        },
        Damage("another file", #"it also holds "extra\u{1B}.csv""#) { reports, file in
            _ = try reports.write("", to: file.replacing("refunds", with: "extra\u{1B}"))
        },
        Damage("another folder", #"it also holds "extra\u{1B}.csv""#) { reports, file in
            try reports.make(file.replacing("refunds", with: "extra\u{1B}"))
        },
    ]

    private let reports: TemporaryFolder
    private let earlier = Run.sample(suffix: 1)
    private let run = Run.sample(suffix: 2)

    init() throws { reports = try TemporaryFolder() }

    @Test(
        "`latest` does not move to a report that lost data, staged or left by another worker",
        arguments: damages, [true, false])
    func lost(damage: Damage, isStaged: Bool) async throws {
        if !isStaged { try await publish(run) }
        try await publish(earlier)
        if !isStaged { try damage.strike(reports, run.id.text + "/refunds.csv") }
        var questions = 0
        await #expect {
            try await publish(run) {
                questions += 1
                guard questions == 1, isStaged else { return }
                // All files are written and synced, and the rename is next.
                try damage.strike(reports, reports.staged + "/refunds.csv")
            }
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
        try reports.remove("latest")
        try await publish(run)
        #expect(reports.latest == run.id.text)
        #expect(try reports.isWholeReport(run.id.text))
    }

    @Test("A damaged manifest is noticed, and a manifest of another run occupies the folder")
    func manifest() async throws {
        try await publish(earlier)
        await #expect {
            try await publish(run) {
                guard let staged = try? reports.staged else { return }
                _ = try reports.write("{}", to: staged + "/manifest.json")
            }
        } throws: {
            describes($0, "manifest.json has 2 bytes, not")
        }
        #expect(reports.latest == earlier.id.text)
        let path = "\(reports.path)/\(run.id.text)"
        await #expect(throws: ReportError(.occupied, path: path)) { try await publish(run) }
    }

    private func publish(_ run: Run, fence: () async throws -> Void = {}) async throws {
        try await reports.publish(
            .sample(run, findings: [.refundRecorded]), [.refunds: [.sample(.refundRecorded)]],
            fence: fence)
    }

    private func describes(_ error: any Error, _ sentence: String) -> Bool {
        let text = "\(error)"
        return text.hasPrefix(
            "The reports at \(reports.path)/\(run.id.text) differ from what was written")
            && text.contains(sentence)
    }
}
