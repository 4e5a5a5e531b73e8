import Foundation
import Testing

@testable import TestSupport

/// To add a case: copy a test, with the verbs in `Tests/README.md`.
@Suite("A published run that the database lost", .hangLimit)
struct LostRunTests {
    @Test("After a restored backup the forgotten folder is marked, and latest names a known run")
    func backup() async throws {
        try await Session.with { session in
            try await session.run().exits()
            let backup = try await LostCommits.after(session.test)
            let known = session.latestRun()
            try await session.run().exits()
            let forgotten = session.latestRun()
            #expect(forgotten != known)
            try await backup.lose()

            try await session.run("--dry-run").exits()
                .logs("\(forgotten), which the database does not know")
            try await session.program(
                "check", "--database=\(session.login)", "--max-age=9999d", "--reports=reports"
            ).exits(2).prints("CRITICAL: latest in reports names the run \(forgotten)")
            let doctor = try await session.doctor()
            #expect(doctor.unwrapped.contains("warning latest latest in "))
            doctor.prints("names the run \(forgotten)")
            for flag in ["--limit=1", "--trial"] {
                try await session.run(flag, "--output=none").exits().omits("does not know")
            }
            let mark = "reports/\(forgotten)/RETRACTED.json"
            #expect(!session.exists(mark))
            try await session.run().exits()
                .logs("does not know; its newest published run is \(known)")
            #expect(session.read(mark).contains("restored from a backup"))
            try await session.run().exits().omits("does not know")
            let latest = session.latestRun()
            #expect(latest != known)
            #expect(latest != forgotten)
        }
    }

    @Test("A run whose record was lost after publishing is resumed, and replaces its own folder")
    func recordLost() async throws {
        let asks = Shared(0)
        let commits = Shared<LostCommits?>(nil)
        let test = Shared<TestDatabase?>(nil)
        let onAsk: @Sendable () -> Void = {
            guard asks.update({ $0 += 1 }) == 3, let test = test.current else { return }
            Gate.blocking {
                let remembered = try await LostCommits.after(test)
                commits.update { $0 = remembered }
            }
        }
        try await Session.with(onAsk: onAsk) { session in
            test.update { $0 = session.test }
            try await session.run().exits()
            let run = session.latestRun()
            let before = manifest(of: run, in: session)
            try await (#require(commits.current)).lose()
            // What is read again has changed meanwhile.
            try await session.test.execute("delete from team.entitlements where who = 'ann'")
            let states = "select state from reconcile.run"
            try await session.query(states).returns("open")
            try await session.run("--resume-within=36500d").exits().logs("resumed")
            try await session.program("verify", "reports/latest", "--database=\(session.login)")
                .exits()
            try await session.query(states).returns("published")
            #expect(session.latestRun() == run)
            #expect(manifest(of: run, in: session) != before)
            #expect(session.published == [run, "latest"])
        }
    }

    private func manifest(of run: String, in session: Session) -> String {
        session.read("reports/\(run)/manifest.json")
    }
}
