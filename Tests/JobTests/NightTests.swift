import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A nightly run", .timeLimit(.minutes(10)))
struct NightTests {
    @Test(
        "The reports of a run agree with each other and have the same file modes under any umask",
        arguments: ["000", "077"])
    func whole(umask: String) async throws {
        try await NightScene.with(asJob: true) { scene in
            let process = try await scene.start(umask: umask).end()
            try #require(scene.published.count == 2)
            let id = scene.published[0]
            process.ends(
                out: ["Reports: \(scene.reports)/\(id)"],
                last: ["Run \(id) is complete, with 7 findings."])
            #expect(try scene.publishedRun == id)
            let reports = try scene.latestReports()
            #expect(
                try reports.kinds() == [
                    "expirations": ["expired_still_granted ann"],
                    "refunds": ["refunded_still_granted flo", "refund_recorded flo"],
                    "mismatches": ["grant_without_transaction cyd", "grant_without_receipt eve"],
                    "receipts": ["receipt_not_authentic cyd", "receipt_is_jws dan"],
                    "cleared": [],
                ])
            #expect(reports.summary["run_id"] as? String == id)
            #expect(reports.summary["as_of"] as? String == AppleAnswer.asOf)
            #expect(reports.summary["status"] as? String == "complete")
            #expect(
                reports.control("receipts") == [
                    "in_scope": 5, "verified": 3, "rejected": 1, "unusable": 1, "unverified": 0,
                ])
            #expect(
                reports.control("entitlements") == [
                    "in_scope": 6, "consistent": 1, "with_finding": 4, "settling": 0,
                    "unverified": 1, "not_judged": 0,
                ])
            // Four receipts, then the refused one again, with the other three as its controls.
            #expect((reports.summary["requests"] as? [String: Any])?["sent"] as? Int == 8)
            #expect(scene.apple.asks.count == 8)
            try expectModes(scene, id)
        }
    }

    private func expectModes(_ scene: NightScene, _ run: String) throws {
        for folder in ["reports", "reports/\(run)"] {
            #expect(try scene.folder.mode(of: folder) == 0o750)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(scene.reports)/\(run)")
        #expect(files.count >= 14)
        for file in files {
            #expect(try scene.folder.mode(of: "reports/\(run)/\(file)") == 0o640, "\(file)")
        }
    }

    @Test("A dry run writes nothing, a partial run not `latest`, and each prints what is requested")
    func scoped() async throws {
        try await NightScene.with { scene in
            let dry = try await scene.run("--dry-run", "--rate=2").ends(
                last: ["5 receipts of 6 users would be requested, in at least 3 s"])
            #expect(dry.output.isEmpty && scene.apple.asks.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: scene.reports))
            #expect(try await scene.runs == [])

            let json = try await scene.run("--output=json")
            #expect(json.output == (try scene.folder.read("reports/latest/summary.json")))
            let whole = try scene.publishedRun
            for scope in ["--user=ann", "--receipt=ann", "--limit=1"] {
                try await scene.run(scope, "--output=json").ends(out: [#""in_scope": 1,"#])
            }
            #expect(scene.published.count == 5)
            #expect(try scene.publishedRun == whole)
            let none = try await scene.run("--output", "none").ends()
            #expect(none.output.isEmpty)
        }
    }

    @Test("A trial run is published beside the nightly runs, and changes neither ledger nor latest")
    func trial() async throws {
        try await NightScene.with { scene in
            try await scene.run().ends()
            let latest = try scene.publishedRun
            let before = try await scene.ledger
            try await scene.test.execute("delete from team.entitlements where who = 'ann'")

            try await scene.run("--trial", "--output=json").ends()
            let names = scene.published.filter { $0.hasSuffix("-trial") }
            #expect(names.count == 1)
            let reports = try PublishedReports(scene.reports + "/" + (names.first ?? ""))
            try reports.expectToTieOut()
            #expect(reports.summary["scope"] as? String == "trial")
            #expect(Set(try reports.column("scope", of: "refunds")) == ["trial"])
            #expect(Set(try reports.column("scope", of: "not_reported")).isSubset(of: ["trial"]))
            // The trial is compared with the published run, so it lists what would be cleared.
            #expect(try reports.kinds()["cleared"] == ["expired_still_granted ann"])
            #expect(Set(try reports.column("lifecycle", of: "refunds")) == ["persisting"])

            #expect(try scene.publishedRun == latest)
            #expect(try await scene.ledger == before)
            // The next nightly run finds the same as without the trial.
            try await scene.run().ends()
            let night = try scene.latestReports()
            #expect(try night.kinds() == reports.kinds())
            #expect(night.summary["previous_run"] as? String == latest)
        }
    }

    @Test("A nightly run does not resume an unfinished trial, and a trial no nightly run")
    func apart() async throws {
        let gate = Gate()
        try await NightScene.with(onAsk: gate.wait) { scene in
            let trial = try scene.start(["--trial"])
            await scene.apple.production.arrival(of: 1)
            trial.send(SIGKILL)
            _ = await trial.end()
            gate.open()
            try await scene.run().ends()
            let states = try await scene.test.texts(
                "select state || ' ' || is_trial from reconcile.run order by run_no")
            #expect(states.last == "published false")
            #expect(states.first == "open true" || states.first == "abandoned true")
            #expect(scene.published.allSatisfy { !$0.hasSuffix("-trial") })
        }
    }
}

@Suite("The end of a nightly run", .timeLimit(.minutes(10)))
struct NightEndTests {
    @Test("The exit status tells what the run found")
    func verdict() async throws {
        try await NightScene.with { scene in
            for (flags, status, message) in textTriples(
                """
                --fail-on=critical | 1 | --fail-on critical or worse
                --fail-on=high | 1 | --fail-on high or worse
                --fail-on=none | 0 | complete
                --fail-on=high --max-runtime=1ms | 3 | is incomplete: 4 of 5 receipts
                --max-unverified=100% --max-runtime=1ms | 3 | \
                    --max-runtime ended before every receipt was validated; 4 of
                --fail-on=high --user=bob | 0 | complete, with 0 findings
                """)
            {
                try await scene.start(flags.split(separator: " ").map(String.init)).end()
                    .ends(try #require(Int32(status)), last: [message], never: ["or time ran out"])
            }
        }
    }

    @Test("A run with too many unverified receipts is published and marked incomplete")
    func incomplete() async throws {
        let acts = NightScene.acts.merging(["bob": [.reset]]) { $1 }
        try await NightScene.with(acts: acts) { scene in
            for (allowed, word) in [
                ("0", "incomplete"), ("19%", "incomplete"), ("1", "complete"), ("20%", "complete"),
            ] {
                try await scene.run("--max-unverified", allowed, "--max-attempts", "2")
                    .ends(word == "complete" ? 0 : 3)
                #expect(try scene.latestReports().summary["status"] as? String == word)
            }
        }
    }

    @Test(
        "If Apple answers only errors, the run is published unverified and accuses no user",
        arguments: [
            .reply(status: "503 No", ""), .reply(status: "429 No", headers: ["Retry-After: 7"], ""),
            .reply("<html></html>"), .reply(AppleAnswer.status(21002)),
        ] as [LoopbackServer.Act])
    func outage(act: LoopbackServer.Act) async throws {
        try await NightScene.with(acts: NightScene.all(act)) { scene in
            try await scene.run(
                "--max-attempts=2", "--receipt-deadline=5s", "--outage-patience=0s"
            ).ends(3)
            let reports = try scene.latestReports()
            // Without an answer: `dan`'s receipt is a StoreKit 2 transaction, `eve` has none.
            let findings = reports.summary["findings"] as? [String: Any]
            let kinds = findings?["by_kind"] as? [String: Int]
            #expect(kinds == ["grant_without_receipt": 1, "receipt_is_jws": 1])
        }
    }

    @Test("A run without an answer, or from a server that is not trusted, publishes nothing")
    func unanswered() async throws {
        let certificate = try TLSCertificate()
        try await NightScene.with { scene in
            let url = "http://127.0.0.1:\(try LoopbackSocket.closedPort())/"
            try await scene.run(
                "--production-url", url, "--sandbox-url", url, "--max-attempts", "2"
            ).ends(69, last: ["None of 8 requests to Apple was answered"])
            #expect(try await scene.states == ["failed"])
            // A refused certificate ends the run at once.
            for flags in [
                ["--timeout=60s"],
                ["--timeout=5s", "--ca-file=\(certificate.file)", "--max-unverified=4"],
            ] {
                // It answers `ok` to the first connection and accepts no other.
                let server = try TLSLoopbackServer(certificate)
                let quick = [
                    "--production-url=https://localhost:\(server.port)/", "--max-attempts=1",
                ]
                #expect(scene.published.isEmpty)
                let job = try await scene.start(flags + quick).end()
                let isTrusted = flags.count > 1
                job.ends(isTrusted ? 0 : 69)
                #expect(job.lastLine.contains("certificate is not trusted") == !isTrusted)
                #expect(scene.published.isEmpty == !isTrusted)
                // An open run can be resumed; one with other settings is abandoned.
                let states = isTrusted ? ["abandoned", "published"] : ["open"]
                #expect(try await scene.states == ["failed"] + states)
            }
        }
    }

    @Test("The second of two simultaneous runs ends at once and changes nothing")
    func locked() async throws {
        let gate = Gate()
        try await NightScene.with(onAsk: gate.wait) { scene in
            let first = try scene.start()
            await scene.apple.production.arrival(of: 1)
            try await scene.run().ends(75, last: ["Another run is in progress: run "])
            #expect(scene.published == [])
            // Views are checked before the lock.
            try await scene.test.execute(
                "alter view reconcile.catalog_apps rename column paid_until to hidden")
            try await scene.run().ends(65)
            gate.open()
            await first.end().ends()
            #expect(scene.published.count == 2)
            #expect(try await scene.states == ["published"])
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
            await job.end().ends(
                status, last: ["nothing was published. Run the same command again."])
            #expect(sent.duration(to: .now) < .seconds(60))
            #expect(scene.published == [])
            let healed = try ScriptedApple { _ in [.reply(AppleAnswer.verified())] }
            try await scene.run("--production-url", healed.production.url).ends()
            #expect(scene.published.count == 2)
        }
    }

    @Test("A run ends when Apple's clock differs by over a day, unless --as-of is given")
    func wrongClock() async throws {
        for (date, status) in [("Sun, 06 Nov 1994 08:49:37 GMT", 78), ("soon", 0)] {
            let act = LoopbackServer.Act.reply(
                headers: ["Date: \(date)"], AppleAnswer.verified())
            try await NightScene.with(acts: NightScene.all(act)) { scene in
                let flags = scene.arguments([]).filter { !$0.hasPrefix("--as-of") }
                let job = try await RunningJob(flags).end().ends(Int32(status))
                let says = "Apple's clock says 1994-11-06T08:49:3"
                #expect(job.lastLine.contains(says) == (status == 78))
                #expect(scene.published.isEmpty == (status == 78))
                if status == 78 { try await scene.run().ends() }
            }
        }
    }
}
