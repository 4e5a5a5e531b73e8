import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

/// The options for cron jobs, monitors and operators.
@Suite("An unattended run", .timeLimit(.minutes(10)))
struct UnattendedTests {
    @Test("--quiet prints nothing on success, and the last line otherwise")
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

    @Test("After SIGUSR1 the run continues and prints its progress")
    func question() async throws {
        let gate = Gate()
        try await NightScene.with(onAsk: gate.wait) { scene in
            let job = try scene.start(["--quiet"])
            await scene.apple.production.arrival(of: 1)
            job.send(SIGUSR1)
            // Signals of one process may arrive in any order, so the second is sent later.
            try await Task.sleep(for: .milliseconds(300))
            gate.open()
            let end = await job.end()
            #expect(end.status == 0)
            #expect(end.error.hasPrefix("reconcile-job: "))
            #expect(end.error.split(separator: "\n").count == 1, "\(end.error)")
        }
    }

    @Test("--wait waits for the other run, names it, and then does a run of its own")
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
            #expect(end.error.contains("Another run over everything is running: run "))
            #expect(scene.published.count == 3)
        }
    }

    @Test("check tells a monitor whether the last run is recent, complete and not held")
    func check() async throws {
        try await NightScene.with { scene in
            let none = try scene.check()
            #expect(none.status == 2)
            #expect(none.output.hasPrefix("CRITICAL: No run over everything has been published."))
            #expect(try await scene.run("--as-of=2026-11-20T02:00:00Z").status == 0)
            #expect(try scene.check("--max-age=1000d").status == 0)
            #expect(try scene.check("--max-age=1000d").output.hasPrefix("OK: Run "))
            #expect(try scene.check("--max-age=1ms").output.contains("older than --max-age"))
            #expect(try await scene.run("--guards=on").status == 4)
            let held = try scene.check("--max-age=1000d")
            #expect(held.status == 2)
            #expect(held.output.contains(" is held: later runs ignore it."))
            let late = try await scene.run("--max-runtime=1ms")
            #expect(late.status == 3, "\(late.error)")
            #expect(try scene.check("--max-age=1000d").output.contains(" is incomplete."))
        }
    }

    @Test("The metrics file has the run's numbers, and keeps the last success when a run fails")
    func metrics() async throws {
        try await NightScene.with { scene in
            let file = scene.folder.path + "/reconcile.prom"
            let job = try scene.start(["--metrics-file", file], umask: "027")
            #expect(await job.end().status == 0)
            let first = try scene.folder.read("reconcile.prom")
            #expect(first.contains("reconcile_receipts{outcome=\"verified\"} 3\n"))
            let success = try #require(
                first.split(separator: "\n").first {
                    $0.contains("last_success_t") && !$0.contains("#")
                })
            #expect(try await scene.run("--metrics-file", file, "--guards=on").status == 4)
            let second = try scene.folder.read("reconcile.prom")
            #expect(second.contains(success + "\n"))
            #expect(second.contains("reconcile_run_status{status=\"held\"} 1\n"))
            // A partial run leaves the metrics of the last full run unchanged.
            #expect(try await scene.run("--metrics-file", file, "--user=ann").status == 0)
            #expect(try scene.folder.read("reconcile.prom") == second)
            let rights = try FileManager.default.attributesOfItem(atPath: file)
            #expect(rights[.posixPermissions] as? Int == 0o644)
            let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path)
            #expect(!names.contains { $0.hasSuffix(".tmp") })
            let nowhere = try await scene.run("--metrics-file=/nowhere/a.prom")
            #expect(nowhere.status == 78)
            #expect(nowhere.lastLine.contains("--metrics-file: cannot write in /nowhere"))
        }
    }

    @Test("The ping URL is called at the start and at the end, and is shown nowhere")
    func ping() async throws {
        let monitor = try LoopbackServer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK")
        let url = "http://127.0.0.1:\(monitor.port)/ping/canary-5e"
        try await NightScene.with { scene in
            let good = try await scene.run("--ping-url", url)
            #expect(good.status == 0)
            let bad = try await scene.run("--ping-url", url, "--guards=on")
            #expect(bad.status == 4)
            let paths = monitor.requests.map { $0.head.split(separator: " ")[1] }
            #expect(
                paths == [
                    "/ping/canary-5e/start", "/ping/canary-5e", "/ping/canary-5e/start",
                    "/ping/canary-5e/fail",
                ])
            let said = String(decoding: monitor.requests.last?.body ?? [], as: UTF8.self)
            #expect(bad.lastLine == "reconcile-job: " + said)
            #expect(!good.error.contains("canary-5e") && !bad.error.contains("canary-5e"))
            let gone = try LoopbackSocket.closedPort()
            let silent = try await scene.run("--ping-url=http://127.0.0.1:\(gone)/canary-5e")
            #expect(silent.status == 0)
            #expect(silent.error.contains("Could not ping --ping-url: "))
            #expect(!silent.error.contains("canary-5e"))
            let plain = try await scene.run("--ping-url=http://monitor.example/canary-5e")
            #expect(plain.status == 78)
            #expect(!plain.error.contains("canary-5e"))
        }
    }

    @Test("The ping URL is also called when the run is stopped")
    func pingOfStop() async throws {
        let monitor = try LoopbackServer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK")
        try await NightScene.with(acts: NightScene.all(.stall)) { scene in
            let job = try scene.start([
                "--timeout=120s", "--ping-url=http://127.0.0.1:\(monitor.port)/p",
            ])
            await scene.apple.production.arrival(of: 4)
            job.send(SIGTERM)
            #expect(await job.end().status == 143)
            let last = try #require(monitor.requests.last)
            #expect(last.head.hasPrefix("POST /p/fail "))
            #expect(String(decoding: last.body, as: UTF8.self).hasPrefix("Stopped by SIGTERM; "))
        }
    }

    @Test("--keep-history removes older history after publication, and reports what it removed")
    func keepsHistory() async throws {
        try await NightScene.with { scene in
            let rows = """
                select count(*)::text from reconcile.outcome as o
                inner join reconcile.run as r on r.run_id = o.run_id where r.run_no = 1
                """
            #expect(try await scene.run().status == 0)
            #expect(try await scene.run().status == 0)
            #expect(try await scene.test.texts(rows) != ["0"])
            try await scene.test.execute(
                "update reconcile.run set finished_at = finished_at - interval '401 days'")
            #expect(try await scene.run("--keep-history=off").status == 0)
            #expect(try await scene.test.texts(rows) != ["0"])
            let job = try await scene.run()
            #expect(job.status == 0)
            #expect(try await scene.test.texts(rows) == ["0"])
            #expect(job.error.contains(" pruned runs=2\n"), "\(job.error)")
        }
    }
}

extension NightScene {
    fileprivate func check(_ flags: String...) throws -> JobProcess {
        try JobProcess(
            ["check", "--database=\(database)"] + flags,
            environment: ["PGPASSWORD": Self.canary])
    }

    /// How many sessions wait for the run lock.
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
