import Foundation
import Testing

@testable import TestSupport

/// Each test begins after one run over the users of `Session.with`. To add a case: copy a test, and
/// write what is asked and what the answer shows, with the verbs in `Tests/README.md`.
@Suite("The history of runs", .hangLimit)
struct RunHistoryTests {
    @Test(
        """
        runs lists each run's results, newest first; others name an unknown, ambiguous or pruned run
        """)
    func runs() async throws {
        try await Session.afterRun { session, first in
            try await session.run("--trial").exits()
            try await session.run("--user=ann").exits()
            let listed = try await session.job("runs").exits()
                .prints("\n    5 receipts; findings:")
            let heads = listed.lines.filter { $0.hasPrefix("20") }
            let (trial, partial) = try await (session.runs()[1], session.runs()[2])
            try #require(heads.count == 3)
            #expect(heads[0].hasPrefix(partial))
            #expect(heads[0].hasSuffix("published, partial"))
            #expect(heads[1].hasPrefix(trial))
            #expect(heads[1].hasSuffix("trial"))
            #expect(heads[2].hasPrefix(first))
            for line in listed.lines { #expect(line.count <= 100) }
            let newest = try await session.job("runs", "--output=json", "--limit=2").exits().json()
            #expect(newest.texts("run_id") == [partial, trial])
            #expect(newest[0]["receipts"] == 1)
            #expect(newest[1]["findings"].names.count == 5)
            let oldest = try #require(try await session.runs().min())
            try await session.job("diff", "1999", first).exits(66).says("The nearest: \(oldest)")
            try await session.job("diff", "20", first).exits(64)
            try await session.job("diff", first).exits(64)
            try await session.run().exits()
            try await session.job("prune", "--before=2030-01-01T00:00:00Z").exits()
            try await session.job("report", first, "--reports=reports").exits(64).says("prune")
            try await session.job("runs").exits().prints("pruned", "5 receipts")
        }
    }

    @Test("diff lists added, gone and changed findings, and ends with 1 if there are any")
    func diff() async throws {
        try await Session.afterRun { session, first in
            try await session.run().exits()
            let second = session.latestRun()
            let finding = try await session.finding()
            try await session.sql(
                """
                delete from team.entitlements where who = 'ann';
                update team.entitlements set expires = '2027-01-10T02:00:00Z' where who = 'flo';
                insert into team.entitlements (id, who, product, active, expires, source, at)
                values ('e2', 'bob', 'pro.monthly', true, '2027-12-10T02:00:00Z', 'app_store',
                    '2026-10-01')
                """)
            try await session.run("--as-of=2026-11-22T02:00:00Z").exits()
            let third = session.latestRun()
            try await session.job("diff", first, second).exits(0).printsNothing()
            let shown = try await session.job("diff", second, third).exits(1)
                .omits("exposure_days")
                .prints("stored_expires_at: 2026-12-10T02:00:00Z → 2027-01-10T02:00:00Z")
                .prints("- \(finding) expired_still_granted ann e-ann\n")
            #expect(shown.lines.contains { $0.hasPrefix("+ ") })
            let all = try await session.job("diff", second, third, "--all", "--output=json")
                .exits(1).prints("exposure_days").json()
            #expect(Set(all.texts("change")) == ["added", "changed", "gone"])
        }
    }

    @Test("--keep removes the folders of older runs, after a run and by prune")
    func keep() async throws {
        let old = ["20261101T020000Z-000abc", "20261102T020000Z-000abc"]
        try await Session.afterRun { session, first in
            for id in old {
                try session.copy("reports/\(first)", to: "reports/\(id)")
                try session.change("reports/\(id)/manifest.json", first, to: id)
            }
            let whole = session.reports
            try await session.run("--dry-run", "--keep=2").exits()
                .printsOnly("removes  \(whole)/\(old[0])", "removes  \(whole)/\(old[1])")
            try await session.program("prune", "--reports=reports", "--keep=1", "--dry-run")
                .exits()
                .printsOnly("removes  reports/\(old[0])", "removes  reports/\(old[1])")
            #expect(session.published == old + [first, "latest"])
            try await session.run("--keep=3").exits()
            let second = session.latestRun()
            #expect(session.published == ([old[1], first, second] + ["latest"]).sorted())
            try await session.program("prune", "--reports=reports", "--keep=2").exits()
                .logs("Removed 1 folders")
            #expect(session.published == [first, second, "latest"].sorted())
            try await session.program("prune", "--dry-run", "--user=ann").exits(64)
        }
    }
}
