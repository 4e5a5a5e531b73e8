import Foundation
import Testing

@testable import TestSupport

/// Three nights over the users of `Session.with`, around the change of November 21 in California.
/// To add a case: a word of the command line, and how it ends.
@Suite("period", .hangLimit)
struct PeriodTests {
    private static func withNights(
        _ body: (Session) async throws -> Void
    ) async throws {
        try await Session.with { session in
            try await session.run("--max-unverified=100%").exits()
            try await session.sql("update team.entitlements set active = false where who = 'ann'")
            for day in [21, 22] {
                try await session.run("--max-unverified=100%", "--as-of=2026-11-\(day)T09:00:00Z")
                    .exits()
            }
            try await body(session)
        }
    }

    @Test("A month of three nights is written by a reader, and verify proves it")
    func month() async throws {
        try await Self.withNights { session in
            let role = "reader_\(session.test.name)"
            try await session.sql(
                "create role \(role) login; grant reconcile_reader to \(role)")
            let database = "--database=\(session.test.url(user: role))"
            let job = try await session.program(
                "period", "--month=2026-11", database, "--reports=books/2026")
            job.exits().says("period-2026-11-01-2026-11-30")
            #expect(
                job.unwrapped.hasPrefix(
                    "In November 2026 so far Apple refunded 1 purchase"), "\(job.output)")
            let folder = "books/2026/period-2026-11-01-2026-11-30"
            try await session.program("verify", folder).exits().says("period, 10 files")
            let first = session.bytes(folder + "/manifest.json")
            try await session.program(
                "period", "--from=2026-11-01", "--to=2026-11-30", database,
                "--reports=books/2026", "--quiet"
            ).exits().printsNothing().logsNothing()
            #expect(session.bytes(folder + "/manifest.json") == first)
            try await session.sql("drop owned by \(role); drop role \(role)")
            #expect(session.read(folder + "/movements.csv").contains("expired_still_granted"))
            let printed = try await session.job(
                "period", "--month=2026-11", "--output=json", "--reports=books/2026")
            #expect(printed.exits().output == session.read(folder + "/summary.json"))
            try session.folder.write("x", to: folder + "/refunds.csv")
            try await session.program("verify", folder).exits(1).prints("refunds.csv")
        }
    }

    @Test("What cannot be added up is said with what there is, and nothing is written")
    func refused() async throws {
        try await Self.withNights { session in
            try await session.job("period", "--month=2026-10").exits(66).says("2026-10-31")
            try await session.job("period", "--fiscal=2026-10").exits(66).says("2026-09-27")
            try await session.job("period", "--month=2026-11", "--bundle=nobody").exits(66)
                .says("--bundle")
            for words in [
                [], ["--month=2026-13"], ["--from=2026-11-01"],
                ["--from=2026-11-02", "--to=2026-11-01"],
                ["--month=2026-11", "--fiscal=2026-11"], ["--month=2026-11", "--to=2026-11-01"],
            ] {
                try await session.job(["period"] + words).exits(64)
            }
            #expect(!session.list("reports").contains { $0.hasPrefix("period") })
        }
    }
}
