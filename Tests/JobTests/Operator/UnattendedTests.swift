import Foundation
import Reconcile
import Testing

@testable import TestSupport
@testable import reconcile_job

/// What a cron job, a monitor and an operator at night have of the job.
@Suite("A run that nobody watches", .timeLimit(.minutes(5)))
struct UnattendedTests {
    @Test("prints nothing on success with --quiet, and the last line otherwise")
    func quiet() async throws {
        try await NightScene.with { scene in
            let good = try await scene.run("--quiet", "--fail-on=none")
            #expect(good.status == 0)
            #expect(good.output.isEmpty && good.error.isEmpty, "\(good.output)\(good.error)")
            let bad = try await scene.run("--quiet", "--fail-on=low", "--new")
            #expect(bad.status == 1)
            #expect(bad.output.isEmpty)
            #expect(bad.error.hasPrefix("reconcile-job: Run "))
            #expect(bad.error.split(separator: "\n").count == 1, "\(bad.error)")
            let check = try scene.check("--quiet", "--max-age=1000d")
            #expect(check.status == 0)
            #expect(check.output.isEmpty && check.error.isEmpty)
        }
    }

    @Test("goes on after SIGUSR1, and says how far it is")
    func question() async throws {
        let gate = Gate()
        try await NightScene.with(onAsk: gate.wait) { scene in
            let job = try scene.start(["--quiet"])
            await scene.apple.production.arrival(of: 1)
            job.send(SIGUSR1)
            // Signals of one process come in any order: a second is handled after the first.
            try await Task.sleep(for: .milliseconds(300))
            gate.open()
            let end = await job.end()
            #expect(end.status == 0)
            #expect(end.error == "reconcile-job: nothing is judged yet\n")
        }
    }

    @Test("waits for another run with --wait, says for whom, and then is a run of its own")
    func wait() async throws {
        let gate = Gate()
        try await NightScene.with(onAsk: gate.wait) { scene in
            let first = try scene.start()
            await scene.apple.production.arrival(of: 1)
            let short = try await scene.run("--wait=200ms")
            #expect(short.status == 75, "\(short.error)")
            let second = try scene.start(["--wait=5m"])
            while try await scene.waitersForTheLock() < 1 {
                try await Task.sleep(for: .milliseconds(50))
            }
            gate.open()
            #expect(await first.end().status == 0)
            let end = await second.end()
            #expect(end.status == 0, "\(end.error)")
            #expect(end.error.contains("Another run over everything is at work: run "))
            #expect(scene.published.count == 3)
        }
    }

    @Test("is seen by a monitor: whether the last one is there, whole, and not held")
    func check() async throws {
        try await NightScene.with { scene in
            let none = try scene.check()
            #expect(none.status == 2)
            #expect(none.output.hasPrefix("CRITICAL: No run over everything has been published."))
            #expect(try await scene.run("--as-of=2026-11-20T02:00:00Z").status == 0)
            #expect(try scene.check("--max-age=1000d").status == 0)
            #expect(try scene.check("--max-age=1000d").output.hasPrefix("OK: Run "))
            #expect(try scene.check("--max-age=1ms").output.contains("longer ago than --max-age"))
            #expect(try await scene.run("--guards=on").status == 4)
            let held = try scene.check("--max-age=1000d")
            #expect(held.status == 2)
            #expect(held.output.contains(" is held, and counts for nothing."))
            let late = try await scene.run("--max-runtime=1ms")
            #expect(late.status == 3, "\(late.error)")
            #expect(try scene.check("--max-age=1000d").output.contains(" is incomplete."))
        }
    }
}

extension NightScene {
    fileprivate func check(_ flags: String...) throws -> JobProcess {
        try JobProcess(
            ["check", "--database=\(database)"] + flags,
            environment: ["PGPASSWORD": Self.canary])
    }

    /// Sessions that have asked for the lock of runs beside the one that has it.
    fileprivate func waitersForTheLock() async throws -> Int {
        let sessions = try await test.texts(
            """
            select pid::text from pg_stat_activity
            where datname = current_database() and application_name like 'reconcile-job%'
                and pid not in (select pid from pg_locks where locktype = 'advisory')
                and query like '%advisory%'
            """)
        return sessions.count
    }
}
