import Foundation
import Testing

@testable import TestSupport

/// To add a case: copy a test, and write what is run and what the database or the folder keeps,
/// with the verbs in `Tests/README.md`.
@Suite("What is kept of a run", .hangLimit)
struct KeptHistoryTests {
    @Test("--keep-history removes older history after publication, and reports what it removed")
    func pruned() async throws {
        try await Session.with { session in
            let hasFirst = "select (count(*) > 0)::text from reconcile.outcome where run_no = 1"
            try await session.run().exits()
            try await session.run().exits()
            try await session.sql(
                "update reconcile.run set finished_at = finished_at - interval '401 days'")
            try await session.run("--keep-history=off").exits()
            try await session.query(hasFirst).returns("true")
            try await session.run().exits().logs("pruned runs=2")
            try await session.query(hasFirst).returns("false")
        }
    }

    @Test("A run without changes adds no history, and --evidence none keeps no answers")
    func unchanged() async throws {
        try await Session.with { session in
            let judged = "select count(*)::text from reconcile.judged_user"
            try await session.run("--evidence=none").exits()
            let answers = try await session.values("select count(*)::text from reconcile.evidence")
            #expect(answers == ["0"])
            try await session.query(judged).returns("6")
            try await session.job("explain", "--user=ann").exits().prints("expired_still_granted")
            try await session.run().exits()
            try await session.run().exits()
            try await session.query(judged).returns("6")
            try await session.sql(
                "update team.entitlements set expires = '2027-01-10T02:00:00Z' where who = 'flo'")
            try await session.run().exits()
            try await session.query(judged).returns("7")
            let third = try await session.runs()[2]
            try await session.job("explain", "--user=flo", "--run=\(third)").exits()
                .prints("2026-12-10T02:00:00Z")
            try await session.job("explain", "--user=flo").exits().prints("2027-01-10T02:00:00Z")
        }
    }

    @Test("report writes a folder again byte for byte, also for Excel, a trial or a retracted run")
    func written() async throws {
        try await Session.with { session in
            try await session.run("--evidence=all", "--csv-dialect=excel").exits()
            let first = session.latestRun()
            let csv = session.bytes("reports/latest/refunds.csv")
            #expect(csv.prefix(3) == [0xEF, 0xBB, 0xBF])
            #expect(session.read("reports/latest/refunds.json").hasPrefix("["))
            try await session.program("verify", "reports/latest").exits().printsNothing()
            try await session.sql("delete from team.entitlements where who = 'ann'")
            try await session.run().exits()
            let second = session.latestRun()
            let finding = try await session.finding()
            try await session.job("accept", finding, "--by=ada", "--why=known").exits()
            try await session.run("--trial").exits()
            let trial = try await session.runs()[2]
            try await session.job("run", "--csv-dialect=tsv").exits(64)
            try await session.job(
                "retract", second, "--by=ada", "--why=prices", "--reports=reports"
            ).exits()
            for run in [first, second, trial] {
                try await session.job("report", run, "--reports=copies").exits()
            }
            #expect(published(in: "copies", session) == published(in: "reports", session))
            let summary = session.report("summary", in: "copies/\(trial)-trial")
            #expect(summary["change"]["since"].text == second)
            #expect(summary["earlier_nights"].texts("run_id") == [second, first])
            #expect(!session.exists("copies/latest"))
            try await session.job("report", second, "--reports=reports").exits()
        }
    }

    /// The files of all runs, without marks and hidden ones, by their paths.
    private func published(in folder: String, _ session: Session) -> [String: Data] {
        session.contents(of: folder).filter { path, _ in
            !path.hasPrefix(".") && !path.contains("/.") && !path.hasSuffix("RETRACTED.json")
        }
    }
}
