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
            let long = String(repeating: "a finding of the close was checked, ", count: 9) + "\n!"
            try await Self.sign(session, run, "Bob", as: "reviewer", note: long).exits()
            try await Self.sign(session, run, "bob", as: "reviewer", note: "again").exits()
                .says("Nothing is added", "Bob as reviewer")
            try await session.program("verify", "reports/latest").exits()
                .says("is complete and ties out", "Ann Lee as preparer", "and by Bob as reviewer")
            try await session.job("verify", "reports/latest").exits().says("Bob as reviewer")
            let runs = try await session.job("runs").exits()
            runs.prints("    signed by Ann Lee as preparer", "    signed by Bob as reviewer")
                .prints("\\n!")
            #expect(runs.lines.allSatisfy { $0.count <= 100 }, "\(runs.output)")
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

    @Test("A period is signed, and again when it is written with other bytes")
    func period() async throws {
        try await Session.with { session in
            try await session.run("--max-unverified=100%").exits()
            let words = ["period", "--month=2026-11", "--reports=reports"]
            try await session.job(words).exits()
            let folder = "reports/period-2026-11-01-2026-11-30"
            try await Self.sign(session, folder, "Ann", as: "preparer").exits()
            try await Self.sign(session, folder, "Bob", as: "reviewer").exits()
            try await session.job("verify", folder).exits()
                .says("This manifest was signed by Ann as preparer", "and by Bob as reviewer")
            // The same bytes again keep their signatures.
            try await session.job(words).exits()
            try await session.program("verify", folder).exits().says("This manifest was signed")
            try await session.run("--max-unverified=100%", "--as-of=2026-11-22T09:00:00Z").exits()
            try await session.job(words).exits()
            try await session.program("verify", folder).exits(1)
                .prints("the bytes have changed since they were signed")
                .says("Other bytes, which have changed since, were signed by Ann")
            try await Self.sign(session, folder, "Bob", as: "reviewer").exits(64)
                .says("since its files were changed")
            try await Self.sign(session, folder, "Ann", as: "preparer").exits()
            try await session.job("verify", folder).exits().says("This manifest was signed by Ann")
            try session.move(folder, to: "reports/period-2026-10-01-2026-10-31")
            try await session.job("verify", "reports/period-2026-10-01-2026-10-31").exits()
            try await Self.sign(
                session, "reports/period-2026-10-01-2026-10-31", "Cyd", as: "reviewer"
            ).exits(64).says("other days than its name says")
        }
    }

    @Test("A tie-out is signed")
    func tieOut() async throws {
        try await Session.with { session in
            try await session.run("--max-unverified=100%").exits()
            let columns = [
                "SKU", "Product Type Identifier", "Units", "Begin Date", "End Date",
                "Parent Identifier",
            ]
            let cells = ["pro.monthly", "IAY", "2", "11/09/2026", "11/09/2026", "ACME"]
            let lines = [columns, cells].map { $0.joined(separator: "\t") + "\n" }
            try session.write(lines.joined(), to: "S_D_80000000_20261109.txt")
            try await session.job("tie-out", "S_D_80000000_20261109.txt", "--reports=reports")
                .exits()
            let folder = "reports/tie-out-2026-11-09-2026-11-09"
            try await Self.sign(session, folder, "Ann", as: "preparer").exits()
            try await session.program("verify", folder).exits().says("signed by Ann as preparer")
            let file = session.report("SIGNOFF", in: folder)
            #expect(file["folder"].text == "tie-out")
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
