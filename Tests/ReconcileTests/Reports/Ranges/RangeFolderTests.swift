import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A folder that is about days and not of a run")
struct RangeFolderTests {
    private let reports: TemporaryFolder
    private let name: RangeName

    init() throws {
        reports = try TemporaryFolder()
        name = RangeName(.tieOut, try Self.october())
    }

    static func october() throws -> PacificDays {
        let first = try #require(Instant(day: "2026-10-01"))
        let last = try #require(Instant(day: "2026-10-31"))
        return try #require(PacificDays(first: first, last: last))
    }

    private func publish(_ text: String) throws -> String {
        let folder = try RangeFolder(
            reports: ReportsDirectory(path: reports.path), named: name)
        try folder.add("summary.json", Array(text.utf8))
        return try folder.publish(codeVersion: "0.1.0")
    }

    private func text(_ file: String) throws -> String {
        try String(contentsOfFile: reports.path + "/" + name.text + "/" + file, encoding: .utf8)
    }

    @Test("An app is in the name, with what is no letter or digit as bytes")
    func names() throws {
        let days = try Self.october()
        #expect(RangeName(.tieOut, days).text == "tie-out-2026-10-01-2026-10-31")
        let app = RangeName(.period, days, of: BundleID("../a é=1"))
        #expect(app.text == "period-2026-10-01-2026-10-31-..%2Fa%20%C3%A9%3D1")
        #expect(RangeName.isRange(app.text))
        #expect(RangeName.isRange(name.text))
        for other in ["period-2026-10-01", "tie-out-2026-13-01-2026-10-31", "latest", "period-"] {
            #expect(!RangeName.isRange(other), "\(other)")
        }
    }

    @Test("Published again it is replaced whole, and nothing else is left")
    func replaced() throws {
        let path = try publish("first")
        #expect(path == reports.path + "/" + name.text)
        let folder = FolderOnDisk(path: path)
        try folder.write("x", to: "stray")
        _ = try publish("second")
        #expect(try text("summary.json") == "second")
        #expect(
            try reports.names(in: name.text) == ["SHA256SUMS", "manifest.json", "summary.json"])
        #expect(try reports.names(in: "") == [name.text])
    }

    @Test("What was added beside the manifest stays while the manifest is the same")
    func marks() throws {
        let folder = FolderOnDisk(path: try publish("same"))
        try folder.write("x", to: ErasedMark.fileName)
        _ = try publish("same")
        #expect(try text(ErasedMark.fileName) == "x")
        _ = try publish("other")
        #expect(try !reports.names(in: name.text).contains(ErasedMark.fileName))
    }

    @Test("A link, another folder and one with folders in it are left alone")
    func occupied() throws {
        let root = FolderOnDisk(path: reports.path)
        try root.makeFolder("precious")
        try root.link(name.text, to: "precious")
        #expect(throws: ReportError.self) { try publish("first") }
        try root.remove(name.text)
        try root.makeFolder(name.text)
        let error = #expect(throws: ReportError.self) { try publish("first") }
        #expect(error?.reason == .occupied)
        try root.remove(name.text)
        let folder = FolderOnDisk(path: try publish("first"))
        try folder.makeFolder("notes")
        #expect(throws: ReportError.self) { try publish("second") }
        #expect(try text("summary.json") == "first")
        #expect(try reports.names(in: "") == ["precious", name.text])
    }

    @Test("A process that was killed between two names leaves the former folder")
    func restored() throws {
        _ = try publish("first")
        let root = FolderOnDisk(path: reports.path)
        try root.move(name.text, to: ".\(name.text).former")
        _ = try publish("second")
        #expect(try reports.names(in: "") == [name.text])
        #expect(try text("summary.json") == "second")
    }
}
