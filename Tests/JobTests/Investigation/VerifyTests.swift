import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// Each test begins after one run over the users of `Session.with`, with a copy of its reports in
/// the folder `whole`. To add a case: forge a file in `forged`, and expect what `verify` names.
@Suite("verify", .hangLimit)
struct VerifyTests {
    @Test("verify accepts an untouched folder and one with RETRACTED.json, and no changed byte")
    func changedByte() async throws {
        try await Self.withReports { session, run in
            try await session.program("verify", "reports/latest").exits().printsNothing()
                .says("is complete and ties out")
            try await session.job("verify", "reports/latest").exits()
            for file in session.list("whole") {
                let bytes = session.bytes("whole/\(file)")
                var generator = SeededGenerator(UInt64(bytes.count))
                let random = (0..<4).map { _ in generator.number(below: bytes.count) }
                for index in [0, bytes.count - 1] + random {
                    var changed = bytes
                    changed[index] ^= 1
                    try session.folder.write(changed, to: "reports/latest/\(file)")
                    let job = try await session.program("verify", "reports/latest")
                    #expect(job.status == 1, "byte \(index) of \(file)")
                    #expect(job.output != "", "byte \(index) of \(file)")
                }
                try session.folder.write(bytes, to: "reports/latest/\(file)")
            }
            let folder = "reports/\(run)"
            try await session.program("verify", folder).exits()
            try await session.job("retract", run, "--by=ada", "--why=prices", "--reports=reports")
                .exits()
            try await session.program("verify", folder).exits().says("RETRACTED.json")
            try await session.program("verify", "/nowhere").exits(74)
            try await session.program("verify").exits(64)
        }
    }

    @Test("verify names sums that do not tie out although every digest matches")
    func forged() async throws {
        try await Self.withReports { session, _ in
            try session.forge("expirations.csv", "e-ann", to: "e-bob")
            try await session.program("verify", "reports/latest").exits(1)
                .prints("expirations.json, row 1")
            try session.forge("expirations.json", "e-ann", to: "e-bob")
            try await session.program("verify", "reports/latest").exits(1).prints("finding_id")
            try await session.job("verify", "reports/latest").exits(1)
                .prints("differs from finding", "the one recorded in the database")

            try session.restore()
            for file in ["expirations.csv", "expirations.json"] {
                try session.forge(file, "expired_still_granted", to: "grant_without_transaction")
            }
            try await session.program("verify", "reports/latest").exits(1)
                .prints("grant_without_transaction does not belong")

            try session.restore()
            let lines = session.read("whole/totals.csv")
                .split(separator: "\r\n", omittingEmptySubsequences: false)
            let shorter = lines.dropLast(2).joined(separator: "\r\n") + "\r\n"
            try session.forge("totals.csv", as: shorter)
            let short = try await session.program("verify", "reports/latest").exits(1)
            #expect(short.lines.count == 1)
            #expect(short.output.hasPrefix("totals.json: does not end after "))
            #expect(short.output.hasSuffix(" rows of totals.csv.\n"))

            try session.restore()
            try session.forge("summary.json", #""total": 7"#, to: #""total": 99"#)
            try await session.program("verify", "reports/latest").exits(1)
                .printsOnly("summary.json: findings.total is 99, but the rows add up to 7.")
        }
    }

    private static func withReports(
        _ body: (_ session: Session, _ run: String) async throws -> Void
    ) async throws {
        try await Session.with { session in
            try await session.run().exits()
            let run = session.latestRun()
            try session.copy("reports/\(run)", to: "whole")
            try await body(session, run)
        }
    }
}

extension Session {
    /// Changes a file of the latest run, and lets SHA256SUMS and the manifest match it.
    fileprivate func forge(_ file: String, _ old: String, to new: String) throws {
        try forge(file, as: read("reports/latest/\(file)").replacing(old, with: new))
    }

    fileprivate func forge(_ file: String, as forged: String) throws {
        let latest = "reports/latest"
        let whole = read("whole/\(file)")
        try #require(forged != whole)
        try write(forged, to: "\(latest)/\(file)")
        let (old, new) = (Self.digest(whole), Self.digest(forged))
        let oldSums = Self.digest(read("\(latest)/SHA256SUMS"))
        try change("\(latest)/SHA256SUMS", old, to: new)
        let newSums = Self.digest(read("\(latest)/SHA256SUMS"))
        try change("\(latest)/manifest.json", old, to: new)
        try change("\(latest)/manifest.json", oldSums, to: newSums)
        // The number of bytes follows the file's name, in the same object.
        let manifest = read("\(latest)/manifest.json")
        let head = try #require(manifest.firstRange(of: "\"name\": \"\(file)\""))
        let label = try #require(manifest[head.upperBound...].firstRange(of: "\"bytes\": "))
        let rest = manifest[label.upperBound...].drop { $0.isNumber }
        let size = "\(forged.utf8.count)"
        try write(manifest[..<label.upperBound] + size + rest, to: "\(latest)/manifest.json")
    }

    /// Puts the files of the run back.
    fileprivate func restore() throws {
        for file in list("whole") {
            try folder.write(folder.bytes("whole/\(file)"), to: "reports/latest/\(file)")
        }
    }

    private static func digest(_ text: String) -> String { Digest.sha256(text.utf8).hexadecimal }
}
