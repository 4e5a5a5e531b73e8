import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

/// The options for cron jobs, monitors and operators.
@Suite("An unattended run", .timeLimit(.minutes(10)))
struct UnattendedTests {
    private static let monitor = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK"

    @Test("--quiet prints nothing on success, and the last line otherwise")
    func quiet() async throws {
        try await NightScene.with { scene in
            let good = try await scene.run("--quiet", "--fail-on=none").ends()
            let check = try scene.check("--quiet", "--max-age=1000d").ends()
            for job in [good, check] { #expect((job.output + job.error).isEmpty) }
            let bad = try await scene.run("--quiet", "--fail-on=low", "--new").ends(1)
            #expect(bad.output.isEmpty)
            #expect(bad.error.hasPrefix("reconcile-job: Run "))
            #expect(bad.error == bad.lastLine + "\n")
        }
    }

    @Test("After SIGUSR1 the run continues and prints its progress")
    func question() async throws {
        let gate = Gate()
        try await NightScene.with(onAsk: gate.wait) { scene in
            let (job, said) = try scene.heard("--quiet")
            await scene.apple.production.arrival(of: 1)
            job.send(SIGUSR1)
            let line = String(decoding: said.availableData, as: UTF8.self)
            #expect(line.hasPrefix("reconcile-job: ") && line.hasSuffix("\n"))
            #expect(line.split(separator: "\n").count == 1, "\(line)")
            gate.open()
            await job.end().ends()
            #expect(try said.readToEnd() ?? Data() == Data())
        }
    }

    @Test("--wait waits for the other run, names it, and then does a run of its own")
    func wait() async throws {
        let gate = Gate()
        try await NightScene.with(onAsk: gate.wait) { scene in
            let first = try scene.start()
            await scene.apple.production.arrival(of: 1)
            try await scene.run("--wait=200ms").ends(75)
            let (second, said) = try scene.heard("--wait=5m")
            var text = ""
            while !text.contains("Another run over everything is running: run ") {
                let data = said.availableData
                try #require(!data.isEmpty, "\(text)")
                text += String(decoding: data, as: UTF8.self)
            }
            gate.open()
            await first.end().ends()
            // A full pipe would block it.
            _ = try said.readToEnd()
            await second.end().ends()
            #expect(scene.published.count == 3)
        }
    }

    @Test("check tells a monitor whether the last run is recent, complete and not held")
    func check() async throws {
        try await NightScene.with { scene in
            func expect(_ age: String, _ status: Int32, _ start: String, _ text: String) throws {
                let job = try scene.check("--max-age=" + age).ends(status, out: [text])
                #expect(job.output.hasPrefix(start + ": "), "\(job.output)")
            }
            try expect("26h", 2, "CRITICAL", ": No run over everything has been published.")
            try await scene.run("--as-of=2026-11-20T02:00:00Z").ends()
            try expect("1000d", 0, "OK", ": Run ")
            try expect("1ms", 2, "CRITICAL", "older than --max-age")
            try await scene.run("--guards=on").ends(4)
            try expect("1000d", 2, "CRITICAL", " is held: later runs ignore it.")
            try await scene.run("--max-runtime=1ms").ends(3)
            try expect("1000d", 2, "CRITICAL", " is incomplete.")
        }
    }

    @Test("The metrics file has the run's numbers, and keeps the last success when a run fails")
    func metrics() async throws {
        try await NightScene.with { scene in
            let file = scene.folder.path + "/reconcile.prom"
            func text() throws -> String { try scene.folder.read("reconcile.prom") }
            try await scene.start(["--metrics-file", file], umask: "027").end().ends()
            let first = try text()
            #expect(first.contains("reconcile_receipts{outcome=\"verified\"} 3\n"))
            let success = try #require(
                first.split(separator: "\n").first {
                    $0.contains("last_success_t") && !$0.contains("#")
                })
            try await scene.run("--metrics-file", file, "--guards=on").ends(4)
            let second = try text()
            #expect(second.contains(success + "\n"))
            #expect(second.contains("reconcile_run_status{status=\"held\"} 1\n"))
            // A partial run leaves the metrics of the last full run unchanged.
            try await scene.run("--metrics-file", file, "--user=ann").ends()
            #expect(try text() == second)
            #expect(try scene.folder.mode(of: "reconcile.prom") == 0o644)
            #expect(try !scene.folder.names.contains { $0.hasSuffix(".tmp") })
            try await scene.run("--metrics-file=/nowhere/a.prom")
                .ends(78, last: ["--metrics-file: cannot write in /nowhere"])
        }
    }

    @Test("The ping URL is called at the start and at the end, and is shown nowhere")
    func ping() async throws {
        let monitor = try LoopbackServer(Self.monitor)
        let url = "http://127.0.0.1:\(monitor.port)/ping/canary-5e"
        let gone = try LoopbackSocket.closedPort()
        try await NightScene.with { scene in
            func run(_ url: String, _ flags: String..., status: Int32) async throws -> JobProcess {
                try await scene.start(["--ping-url", url] + flags).end()
                    .ends(status, never: ["canary-5e"])
            }
            _ = try await run(url, status: 0)
            let bad = try await run(url, "--guards=on", status: 4)
            let paths = monitor.requests.map { $0.head.split(separator: " ")[1] }
            #expect(
                paths == ["/start", "", "/start", "/fail"].map { "/ping/canary-5e" + $0 })
            let said = String(decoding: monitor.requests.last?.body ?? [], as: UTF8.self)
            #expect(bad.lastLine == "reconcile-job: " + said)
            let silent = try await run("http://127.0.0.1:\(gone)/canary-5e", status: 0)
            #expect(silent.error.contains("Could not ping --ping-url: "))
            _ = try await run("http://monitor.example/canary-5e", status: 78)
        }
    }

    @Test("The ping URL is also called when the run is stopped")
    func pingOfStop() async throws {
        let monitor = try LoopbackServer(Self.monitor)
        try await NightScene.with(acts: NightScene.all(.stall)) { scene in
            let job = try scene.start([
                "--timeout=120s", "--ping-url=http://127.0.0.1:\(monitor.port)/p",
            ])
            await scene.apple.production.arrival(of: 4)
            job.send(SIGTERM)
            await job.end().ends(143)
            let last = try #require(monitor.requests.last)
            #expect(last.head.hasPrefix("POST /p/fail "))
            #expect(String(decoding: last.body, as: UTF8.self).hasPrefix("Stopped by SIGTERM; "))
        }
    }

    @Test("--keep-history removes older history after publication, and reports what it removed")
    func keepsHistory() async throws {
        try await NightScene.with { scene in
            func rows() async throws -> [String?] {
                try await scene.test.texts(
                    """
                    select count(*)::text from reconcile.outcome as o
                    inner join reconcile.run as r on r.run_id = o.run_id where r.run_no = 1
                    """)
            }
            for _ in 0..<2 { try await scene.run().ends() }
            #expect(try await rows() != ["0"])
            try await scene.test.execute(
                "update reconcile.run set finished_at = finished_at - interval '401 days'")
            try await scene.run("--keep-history=off").ends()
            #expect(try await rows() != ["0"])
            let job = try await scene.run().ends()
            #expect(try await rows() == ["0"])
            #expect(job.error.contains(" pruned runs=2\n"), "\(job.error)")
        }
    }
}

extension NightScene {
    fileprivate func check(_ flags: String...) throws -> JobProcess {
        try JobProcess(
            ["check", "--database=\(database)"] + flags, environment: ["PGPASSWORD": Self.canary])
    }

    /// A run whose stderr can be read while it runs.
    fileprivate func heard(_ flags: String...) throws -> (job: RunningJob, stderr: FileHandle) {
        let pipe = folder.path + "/stderr"
        try #require(mkfifo(pipe, 0o600) == 0)
        let job = try RunningJob(
            arguments(flags), environment: ["PGPASSWORD": Self.canary], redirection: "2>\(pipe)")
        return (job, try #require(FileHandle(forReadingAtPath: pipe)))
    }
}
