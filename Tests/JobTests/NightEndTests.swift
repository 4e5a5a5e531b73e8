import Foundation
import Testing

@testable import TestSupport
@testable import reconcile_job

@Suite("The exit status of a nightly run", .timeLimit(.minutes(10)))
struct NightEndTests {
    /// A problem and the expected end of the run: nothing published, no request sent.
    struct Trouble: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var arguments: [String] = []
        var sql = ""
        let status: Int32
        let message: String
    }

    @Test(
        "A run that cannot begin ends with the status of its reason",
        arguments: [
            Trouble(
                testDescription: "a view is missing",
                sql: "drop view reconcile.stored_entitlements", status: 65,
                message: "stored_entitlements"),
            Trouble(
                testDescription: "an id is held twice",
                sql: "insert into team.receipts select * from team.receipts", status: 65,
                message: "Correct the views in schema reconcile"),
            Trouble(
                testDescription: "the schema is not migrated",
                sql: "drop schema reconcile cascade", status: 78,
                message: "Run reconcile-job migrate."),
            Trouble(
                testDescription: "no server", arguments: ["--database=host=127.0.0.1 port=1"],
                status: 69, message: "Cannot reach the database"),
            Trouble(
                testDescription: "receipts would go out unencrypted",
                arguments: ["--production-url=http://buy.example/verify"], status: 78,
                message: "--production-url: the value would send receipts unencrypted."),
            Trouble(
                testDescription: "no place for reports",
                arguments: ["--reports=/nowhere/at/all"], status: 73, message: "/nowhere/at/all"),
        ])
    func cannotBegin(trouble: Trouble) async throws {
        try await NightScene.with { scene in try await expect(trouble, in: scene) }
    }

    @Test(
        "Of two problems the run reports the one that is checked first",
        arguments: [
            Trouble(
                testDescription: "a flag before a URL",
                arguments: ["--rat=1", "--sandbox-url=ftp://h"], status: 64,
                message: "Did you mean --rate?"),
            Trouble(
                testDescription: "a URL before the database",
                arguments: ["--sandbox-url=ftp://h", "--database=host=127.0.0.1 port=1"],
                status: 78, message: "--sandbox-url"),
            Trouble(
                testDescription: "the schema before the folder",
                arguments: ["--reports=/nowhere/a"],
                sql: "drop schema reconcile cascade", status: 78, message: "migrate"),
            Trouble(
                testDescription: "the folder before the views", arguments: ["--reports=/nowhere/a"],
                sql: "drop view reconcile.catalog_apps", status: 73, message: "/nowhere/a"),
        ])
    func order(trouble: Trouble) async throws {
        try await NightScene.with { scene in try await expect(trouble, in: scene) }
    }

    @Test("A missing privilege is reported after the reports folder and before the views")
    func rights() async throws {
        let sql = """
            revoke select on reconcile.stored_receipts from reconcile_job;
            drop view reconcile.catalog_apps;
            """
        for (folder, status, message) in [
            ("/nowhere/a", 73, "/nowhere/a"),
            (nil, 77, "no privilege to select from reconcile.stored"),
        ] as [(String?, Int32, String)] {
            try await NightScene.with(.nightly) { scene in
                let trouble = Trouble(
                    testDescription: "", arguments: folder.map { ["--reports=\($0)"] } ?? [],
                    sql: sql, status: status, message: message)
                try await expect(trouble, in: scene)
            }
        }
    }

    @Test("A wrong password is reported without the password")
    func password() async throws {
        try await NightScene.with { scene in
            let name = scene.test.name
            try await scene.test.execute(
                """
                do $$ begin create role needs_password nologin;
                exception when duplicate_object or unique_violation then null; end $$;
                create role \(name) login password 'right' in role needs_password;
                """)
            let url = scene.test.url(user: name)
            let process = try await scene.run("--database", url)
            #expect(process.status == 77)
            #expect(process.lastLine.contains("The database refuses access"))
            #expect(!process.error.contains(NightScene.canary))
            try await scene.test.execute("drop role \(name)")
        }
    }

    @Test("The second of two simultaneous runs ends at once and changes nothing")
    func locked() async throws {
        let gate = Gate()
        try await NightScene.with(onAsk: gate.wait) { scene in
            let first = try scene.start()
            await scene.apple.production.arrival(of: 1)
            let second = try await scene.run()
            #expect(second.status == 75)
            #expect(second.lastLine.contains("Another run is in progress: run "))
            #expect(scene.published == [])
            // Views are checked before the lock.
            try await scene.test.execute(
                "alter view reconcile.catalog_apps rename column paid_until to hidden")
            #expect(try await scene.run().status == 65)
            gate.open()
            #expect(await first.end().status == 0)
            #expect(scene.published.count == 2)
            #expect(try await scene.test.texts("select state from reconcile.run") == ["published"])
        }
    }

    @Test("A run that got no answer from Apple publishes nothing")
    func unreachable() async throws {
        try await NightScene.with { scene in
            let url = "http://127.0.0.1:\(try LoopbackSocket.closedPort())/"
            let process = try await scene.run(
                "--production-url", url, "--sandbox-url", url, "--max-attempts", "2")
            #expect(process.status == 69)
            #expect(process.lastLine.contains("None of 8 requests to Apple was answered"))
            #expect(scene.published == [])
            #expect(try await scene.test.texts("select state from reconcile.run") == ["failed"])
        }
    }

    @Test("A run ends at once when Apple's certificate is refused, and publishes nothing")
    func certificate() async throws {
        let certificate = try TLSCertificate()
        try await NightScene.with { scene in
            for (arguments, status) in [
                (["--timeout=60s"], 69),
                (["--timeout=5s", "--ca-file=\(certificate.file)", "--max-unverified=4"], 0),
            ] as [([String], Int32)] {
                // It answers `ok` to the first connection and accepts no other.
                let server = try TLSLoopbackServer(certificate)
                let url = "https://localhost:\(server.port)/"
                let quick = ["--production-url=\(url)", "--max-attempts=1"]
                let process = try await scene.start(arguments + quick).end()
                #expect(process.status == status, "\(process.error)")
                let isRefused = process.lastLine.contains("certificate is not trusted")
                #expect(isRefused == (status == 69))
                #expect(scene.published.isEmpty == (status == 69))
            }
        }
    }

    @Test(
        "The exit status tells what the run found",
        arguments: [
            (["--fail-on=critical"], 1, "--fail-on critical or worse"),
            (["--fail-on=high"], 1, "--fail-on high or worse"), (["--fail-on=none"], 0, "complete"),
            (["--fail-on=high", "--max-runtime=1ms"], 3, "is incomplete: 4 of 5 receipts"),
            (
                ["--max-unverified=100%", "--max-runtime=1ms"], 3,
                "is incomplete: --max-runtime ended before every receipt was validated; 4 of"
            ),
            (["--fail-on=high", "--user=bob"], 0, "complete, with 0 findings"),
        ] as [([String], Int32, String)])
    func verdict(arguments: [String], status: Int32, message: String) async throws {
        try await NightScene.with { scene in
            let process = try await scene.start(arguments).end()
            #expect(process.status == status, "\(process.error)")
            #expect(process.lastLine.contains(message))
            #expect(!process.lastLine.contains("or time ran out"))
        }
    }

    @Test("A run with too many unverified receipts is published and marked incomplete")
    func incomplete() async throws {
        let acts = NightScene.acts.merging(["bob": [.reset]]) { $1 }
        for (allowed, status) in [("0", 3), ("19%", 3), ("1", 0), ("20%", 0)] as [(String, Int32)] {
            try await NightScene.with(acts: acts) { scene in
                let process = try await scene.run(
                    "--max-unverified", allowed, "--max-attempts", "2")
                #expect(process.status == status, "\(process.error)")
                let reports = try PublishedReports(scene.reports + "/latest")
                let word = status == 3 ? "incomplete" : "complete"
                #expect(reports.summary["status"] as? String == word)
                try reports.expectToTieOut()
            }
        }
    }

    @Test(
        "A signal ends the run soon with nothing published, and the next run is complete",
        arguments: [(SIGTERM, 143), (SIGINT, 130)] as [(Int32, Int32)])
    func stopped(signal: Int32, status: Int32) async throws {
        try await NightScene.with(acts: NightScene.all(.stall)) { scene in
            // Far longer than a stop may take, even on a busy machine.
            let job = try scene.start(["--timeout", "120s"])
            await scene.apple.production.arrival(of: 4)
            let sent = ContinuousClock.now
            job.send(signal)
            let process = await job.end()
            #expect(sent.duration(to: .now) < .seconds(60))
            #expect(process.status == status)
            #expect(process.lastLine.contains("nothing was published. Run the same command again."))
            #expect(scene.published == [])
            let healed = try ScriptedApple { _ in [.reply(AppleAnswer.verified())] }
            let next = try await scene.run(
                "--production-url", healed.production.url, "--output=none")
            #expect(next.status == 0, "\(next.error)")
            #expect(scene.published.count == 2)
        }
    }

    @Test("A run ends when Apple's clock differs by over a day, unless --as-of is given")
    func wrongClock() async throws {
        let body = AppleAnswer.verified()
        func answer(_ date: String) -> String {
            "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        let past = answer("Sun, 06 Nov 1994 08:49:37 GMT")
        try await NightScene.with(acts: NightScene.all(.send(Array(past.utf8)))) { scene in
            let flags = scene.arguments([]).filter { !$0.hasPrefix("--as-of") }
            let job = try await RunningJob(flags, environment: ["PGPASSWORD": NightScene.canary])
                .end()
            #expect(job.status == 78, "\(job.error)")
            #expect(job.lastLine.contains("Apple's clock says 1994-11-06T08:49:3"))
            #expect(scene.published == [])
            #expect(try await scene.run().status == 0)
        }
        try await NightScene.with(acts: NightScene.all(.send(Array(answer("soon").utf8)))) {
            scene in
            let flags = scene.arguments([]).filter { !$0.hasPrefix("--as-of") }
            let job = try await RunningJob(flags, environment: ["PGPASSWORD": NightScene.canary])
                .end()
            #expect(job.status == 0, "\(job.error)")
        }
    }

    private func expect(_ trouble: Trouble, in scene: NightScene) async throws {
        if !trouble.sql.isEmpty { try await scene.test.execute(trouble.sql) }
        let process = try await scene.start(trouble.arguments).end()
        #expect(process.status == trouble.status, "\(process.error)")
        #expect(process.lastLine.contains(trouble.message), "\(process.error)")
        #expect(process.output.isEmpty)
        #expect(scene.apple.asks.isEmpty)
        #expect(scene.published == [])
    }
}
