import Foundation
import Testing

@testable import TestSupport

/// To add a case: copy a test, and write who signs what, and what is said, with the verbs in
/// `Tests/README.md`.
@Suite("sign-off", .hangLimit)
struct SignOffTests {
    private static func sign(
        _ session: Session, _ what: String, _ by: String, as role: String,
        note: String = "October is closed"
    ) async throws -> JobProcess {
        try await session.job(
            "sign-off", what, "--by=\(by)", "--as=\(role)", "--note=\(note)", "--reports=reports")
    }

    @Test("A preparer and another person sign a night, and verify and runs say who")
    func night() async throws {
        try await Session.with { session in
            try await session.run().exits()
            let run = session.latestRun()
            let before = session.bytes("reports/\(run)/manifest.json")
            try await Self.sign(session, "latest", "Bob", as: "reviewer").exits(64)
                .says("Nobody has signed it as preparer")
            try await Self.sign(session, "reports/latest", "Ann Lee", as: "preparer").exits()
                .says("Signed by Ann Lee as preparer", "SIGNOFF.json")
            try await Self.sign(session, run, "ann  LEE", as: "reviewer").exits(64)
                .says("must be another person")
            try await Self.sign(session, run, "Bob", as: "reviewer").exits()
            try await Self.sign(session, run, "bob", as: "reviewer", note: "again").exits()
                .says("Nothing is added", "Bob as reviewer")
            try await session.program("verify", "reports/latest").exits()
                .says("is complete and ties out", "Ann Lee as preparer", "and by Bob as reviewer")
            try await session.job("verify", "reports/latest").exits().says("Bob as reviewer")
            try await session.job("runs").exits().prints("signed by Ann Lee as preparer")
            #expect(session.bytes("reports/\(run)/manifest.json") == before)
            let file = session.report("SIGNOFF", in: "reports/\(run)")
            #expect(file["name"].text == run)
            #expect(file["signatures"].texts("by") == ["Ann Lee", "Bob"])
            #expect(file["signatures"].texts("as") == ["preparer", "reviewer"])
        }
    }

    @Test("Changed bytes are not signed, and verify says that signed bytes have changed")
    func changed() async throws {
        try await Session.with { session in
            try await session.run().exits()
            let run = session.latestRun()
            let page = session.read("reports/\(run)/index.html")
            try session.folder.write(page + " ", to: "reports/\(run)/index.html")
            try await Self.sign(session, run, "Ann", as: "preparer").exits(1)
                .prints("index.html has").says("is not signed")
            try await session.query("select count(*)::text from reconcile.sign_off").returns("0")
            try session.folder.write(page, to: "reports/\(run)/index.html")
            try await Self.sign(session, run, "Ann", as: "preparer").exits()
            let signed = session.read("reports/\(run)/SIGNOFF.json")
            try session.folder.write(
                signed.replacingOccurrences(of: "Ann", with: "Eve"),
                to: "reports/\(run)/SIGNOFF.json")
            try await session.program("verify", "reports/\(run)").exits().says("Eve as preparer")
            try await session.job("verify", "reports/\(run)").exits(1)
                .prints("SIGNOFF.json: differs from what is recorded in the database.")
            try FileManager.default.removeItem(
                atPath: session.folder.path + "/reports/\(run)/SIGNOFF.json")
            try await session.job("verify", "reports/\(run)").exits()
                .says("By the database it was signed", "Ann as preparer")
            // The same line again writes the file again.
            try await Self.sign(session, run, "Ann", as: "preparer").exits()
            #expect(session.read("reports/\(run)/SIGNOFF.json") == signed)
        }
    }

    @Test("Only a run that counts is signed, and every word is checked")
    func refused() async throws {
        try await Session.with { session in
            try await session.run("--trial").exits()
            let trial = try await session.runs()[0]
            try await Self.sign(session, "reports/\(trial)-trial", "Ann", as: "preparer").exits(64)
                .says("trial")
            try await session.run().exits()
            let run = session.latestRun()
            try await Self.sign(session, run, "  ", as: "preparer").exits(64).says("--by")
            try await Self.sign(session, run, "Ann", as: "boss").exits(64).says("preparer")
            try await Self.sign(session, run, "Ann", as: "preparer", note: " ").exits(64)
                .says("--note")
            try await Self.sign(session, "20200101T000000Z-000000", "Ann", as: "preparer").exits(66)
            try await Self.sign(session, "/nowhere/x", "Ann", as: "preparer").exits(74)
            try await session.job("sign-off", run, "--by=Ann", "--as=preparer").exits(64)
                .says("--note")
            try await session.job("sign-off", run, "--by=Ann", "--note=n").exits(64).says("--as")
            try await session.job("sign-off", run, "--as=preparer", "--note=n").exits(64)
                .says("--by")
            try await session.job("sign-off", "--by=Ann", "--as=preparer", "--note=n").exits(64)
            try await session.job(
                "retract", run, "--by=ada", "--why=prices", "--reports=reports"
            ).exits()
            try await Self.sign(session, run, "Ann", as: "preparer").exits(64).says("retracted")
        }
    }
}
