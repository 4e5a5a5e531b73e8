import Foundation
import Testing

@testable import TestSupport

/// The night of `Session.with` counts `pro.monthly`: sold once on September 20 and twice on
/// November 9, refunded once on November 14.
@Suite("tie-out", .hangLimit)
struct TieOutJobTests {
    private static let header =
        "SKU\tProduct Type Identifier\tUnits\tBegin Date\tEnd Date\tParent Identifier\n"

    private static func row(_ units: Int, on day: Int) -> String {
        let date = day < 10 ? "11/0\(day)/2026" : "11/\(day)/2026"
        return "pro.monthly\tIAY\t\(units)\t\(date)\t\(date)\tACME\n"
    }

    private static let november9 = "S_D_80000000_20261109.txt"
    private static let november14 = "S_D_80000000_20261114.txt"

    /// After the night; Apple sold four on November 9, and refunded one on November 14.
    private static func withFiles(
        _ body: (Session) async throws -> Void
    ) async throws {
        try await Session.with { session in
            try await session.run("--max-unverified=100%").exits()
            try session.write(header + row(4, on: 9), to: november9)
            try session.write(header + row(-1, on: 14), to: november14)
            try await body(session)
        }
    }

    @Test("A reader compares, in any order of files, and verify proves the folder")
    func sales() async throws {
        try await Self.withFiles { session in
            let role = "reader_\(session.test.name)"
            try await session.sql("create role \(role) login; grant reconcile_reader to \(role)")
            let flags = ["--database=\(session.test.url(user: role))", "--reports=books"]
            let files = [Self.november9, Self.november14]
            let job = try await session.start(words: ["tie-out"] + files + flags).finish()
            job.exits(1).says("1 of 2 lines are not tied within 0.5%")
            job.printsOnly(
                "Your receipts show 50.0 % of what Apple sold in 2 days, and 1 of 1 refunds.",
                "pro.monthly of acme, sold: Apple 4, ours 2",
                "Not compared: 4 days are in no file.",
                "books/tie-out-2026-11-09-2026-11-14/index.html says more.")
            let folder = "books/tie-out-2026-11-09-2026-11-14"
            try await session.program("verify", folder).exits().says("tie-out, 5 files")
            let first = session.contents(of: folder)
            let again = try await session.start(
                words: ["tie-out"] + files.reversed() + flags + ["--quiet"]
            ).finish()
            again.exits(1).printsNothing()
            #expect(session.contents(of: folder) == first)
            try await session.sql("drop owned by \(role); drop role \(role)")
            let tied = try await session.job(
                ["tie-out", "--within=50%", "--output=json", "--reports=books"] + files)
            tied.exits().says("All products are tied within 50%")
            #expect(tied.output == session.read(folder + "/summary.json"))
            #expect(session.list("books") == ["tie-out-2026-11-09-2026-11-14"])
            try session.change(folder + "/tie_out.csv", "tied", to: "apple_has_more")
            try await session.program("verify", folder).exits(1).prints("tie_out.csv")
        }
    }

    @Test("What cannot be compared is said with the file and line, and nothing is written")
    func refused() async throws {
        try await Self.withFiles { session in
            try session.write(Self.header + Self.row(1, on: 9) + "pro\tIAY\tone\n", to: "bad.txt")
            try session.write(Self.header + Self.row(1, on: 2), to: "second.txt")
            try session.write(Self.header + Self.row(1, on: 9), to: "other.txt")
            try session.write(Self.header, to: "no-day.txt")
            try session.write(
                "Start Date\t11/09/2026\nEnd Date\t11/09/2026\n"
                    + "Transaction Date\tSKU\tQuantity\tSale or Return\n"
                    + "11/09/2026\tpro.monthly\t1\tS\n", to: "detail.txt")
            let cases: [(files: [String], status: Int32, says: String)] = [
                ([Self.november9, "bad.txt"], 65, "bad.txt, line 3:"),
                ([Self.november9, "other.txt"], 65, "2026-11-09 is also in"),
                ([Self.november9, "detail.txt"], 64, "Compare one kind at a time."),
                (["detail.txt", "--app=acme=ACME"], 64, "--app needs sales reports"),
                ([Self.november9, "--from=2026-11-09"], 64, "--from and --to go together."),
                ([], 64, "needs report files"),
                (["no-day.txt"], 66, "nothing to compare"),
                (
                    [Self.november9, "--from=2026-11-10", "--to=2026-11-12"], 66,
                    "No day from 2026-11-10 to 2026-11-12"
                ),
                ([Self.november9, "missing.txt"], 74, "Cannot read missing.txt"),
            ]
            for (files, status, text) in cases {
                try await session.job(["tie-out", "--reports=books"] + files).exits(status)
                    .says(text)
            }
            #expect(!session.exists("books"))
            try await session.job("tie-out", "detail.txt", "--reports=books").exits()
                .prints("Your receipts show 100.0 % of what Apple sold in 1 day")
        }
    }
}
