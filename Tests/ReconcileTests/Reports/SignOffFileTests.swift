import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case, copy a row: the lines of `SIGNOFF.json` beside a manifest with the digest `a…`,
/// and what `verify` says.
@Suite("SIGNOFF.json")
struct SignOffFileTests {
    private let reports: TemporaryFolder
    private static let folder = "20261120T020000Z-3f2a91"

    init() throws {
        reports = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: reports.path + "/" + Self.folder, withIntermediateDirectories: false)
    }

    private func signatures(former: [String] = []) throws -> FolderSignatures {
        FolderSignatures(
            in: try OpenFolder(path: reports.path + "/" + Self.folder),
            manifest: String(repeating: "a", count: 64), former: former)
    }

    private func write(_ lines: [SignOff]) throws {
        let directory = try ReportsDirectory(path: reports.path)
        try #require(SignOffFile(lines)).publish(in: directory, folder: Self.folder)
    }

    struct Case: Sendable {
        let lines: [SignOff]
        var former: [String] = []
        var fails = false
        let remarks: [String]
    }

    @Test(
        "It says who signed these bytes, and who signed bytes that changed since",
        arguments: [
            Case(
                lines: [.preparer("Ann")],
                remarks: [
                    "This manifest was signed by Ann as preparer at 2026-11-20T02:00:00Z (October)."
                ]),
            Case(
                lines: [.preparer("Ann"), .reviewer("Bob")],
                remarks: ["This manifest was signed by Ann as preparer at"]),
            Case(
                lines: [.preparer("Ann", of: "b")], fails: true,
                remarks: ["Other bytes, which have changed since, were signed by Ann as preparer"]),
            Case(
                lines: [.preparer("Ann", of: "b"), .preparer("Ann")],
                remarks: ["Other bytes, which have changed since", "This manifest was signed"]),
            Case(
                lines: [.preparer("Ann", of: "b")],
                former: [String(repeating: "b", count: 64)],
                remarks: ["Before users were erased it was signed by Ann"]),
        ])
    func says(row: Case) throws {
        try write(row.lines)
        let found = try signatures(former: row.former)
        #expect(found.file?.signatures == row.lines)
        #expect((found.failure != nil) == row.fails)
        #expect(found.remarks.count == row.remarks.count)
        for (remark, start) in zip(found.remarks, row.remarks) {
            #expect(remark.hasPrefix(start), "\(remark)")
        }
        #expect(found.difference(from: row.lines) == nil)
        #expect(found.difference(from: Array(row.lines.dropLast())) != nil)
        #expect(found.missing(of: row.lines) == nil)
        // A copy of the folder, after which another one signed.
        #expect(found.difference(from: row.lines + [.reviewer("Eve")]) == nil)
        if !row.fails {
            let missing = found.missing(of: row.lines + [.reviewer("Eve")])
            #expect(missing?.contains("Eve as reviewer") == true)
        }
    }

    @Test("Without the file nobody signed, unless the database knows better")
    func absent() throws {
        let found = try signatures()
        #expect(found.failure == nil)
        #expect(found.remarks == [])
        #expect(found.missing(of: []) == nil)
        #expect(found.missing(of: [.preparer("Ann")])?.contains("Ann as preparer") == true)
    }

    @Test("It is replaced whole, and leaves nothing beside it")
    func replaced() throws {
        try write([.preparer("Ann")])
        try write([.preparer("Ann"), .reviewer("Bob \"B\" \u{1F600}")])
        #expect(try signatures().file?.signatures.count == 2)
        let signed = reports.path + "/" + Self.folder
        #expect(try FileManager.default.contentsOfDirectory(atPath: signed) == ["SIGNOFF.json"])
        #expect(try reports.names == [Self.folder])
    }

    @Test(
        "What sign-off did not write is named",
        arguments: ["", "{}", "[]", "{\"folder\": \"run\"}", "null"])
    func foreign(text: String) throws {
        try write([.preparer("Ann")])
        try reports.write(text, to: Self.folder + "/SIGNOFF.json")
        #expect(try signatures().failure == "SIGNOFF.json: is not what sign-off writes.")
    }

    @Test("A changed byte is named")
    func changed() throws {
        let lines: [SignOff] = [.preparer("Ann"), .reviewer("Bob")]
        let bytes = try #require(SignOffFile(lines)).json
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            #expect(SignOffFile(other).map(\.signatures) != lines, "byte \(index)")
        }
    }
}
