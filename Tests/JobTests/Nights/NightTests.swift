import Foundation
import Testing

@testable import TestSupport

/// Reports and `latest` follow from the runs, here over the users of `Session.with`. To add a case:
/// copy a test, and write what the operator does and what follows, with the verbs in
/// `Tests/README.md`.
@Suite("A nightly run", .hangLimit)
struct NightTests {
    @Test("The reports of a run agree with each other and have the same file modes under any umask")
    func reports() async throws {
        try await Session.night { session in
            let job = try await session.run(with: .umask(0o000)).exits()
            let run = session.latestRun()
            job.prints("Reports: \(session.reports)/\(run)")
            job.says("Run \(run) is complete, with 7 findings.")
            #expect(session.apple.asks.count == 8)
            #expect(session.published == [run, "latest"])
            #expect(
                session.allReported() == [
                    "expirations": [Reported("expired_still_granted", of: "ann")],
                    "refunds": [
                        Reported("refunded_still_granted", of: "flo"),
                        Reported("refund_recorded", of: "flo"),
                    ],
                    "mismatches": [
                        Reported("grant_without_transaction", of: "cyd"),
                        Reported("grant_without_receipt", of: "eve"),
                    ],
                    "receipts": [
                        Reported("receipt_not_authentic", of: "cyd"),
                        Reported("receipt_is_jws", of: "dan"),
                    ],
                    "cleared": [],
                ])
            expectModes(session)
            try session.move("reports", to: "first")
            try await session.run(with: .umask(0o077)).exits()
            expectModes(session)
        }
    }

    private func expectModes(_ session: Session) {
        let folder = "reports/\(session.latestRun())"
        #expect(session.mode(of: "reports") == 0o750)
        #expect(session.mode(of: folder) == 0o750)
        for file in session.list(folder) {
            #expect(session.mode(of: "\(folder)/\(file)") == 0o640, "\(file)")
        }
    }

    @Test("The summary of a run counts its requests, receipts and rows")
    func summary() async throws {
        try await Session.night { session in
            try await session.run().exits()
            let summary = session.report("summary")
            #expect(summary["run_id"].text == session.latestRun())
            #expect(summary["as_of"] == "2026-11-20T02:00:00Z")
            #expect(summary["status"] == "complete")
            #expect(summary["requests"]["sent"] == 8)
            #expect(
                summary["controls"]["receipts"] == [
                    "in_scope": 5, "verified": 3, "rejected": 1, "unusable": 1, "unverified": 0,
                ])
            #expect(
                summary["controls"]["entitlements"] == [
                    "in_scope": 6, "consistent": 1, "with_finding": 4, "settling": 0,
                    "unverified": 1, "not_judged": 0,
                ])
        }
    }

    @Test("A dry run writes nothing, a partial run not latest, and each prints what is requested")
    func dryAndPartial() async throws {
        try await Session.night { session in
            try await session.run("--dry-run", "--rate=2").exits().printsNothing()
                .says("5 receipts of 6 users would be requested, in at least 3 s")
            #expect(session.apple.asks.isEmpty)
            #expect(!session.exists("reports"))
            try await session.job("runs").exits().printsOnly("No run has been opened yet.")
            try await session.job("report", "2026", "--reports=reports").exits(66)
                .says("There is no run 2026")
            let whole = try await session.run("--output=json").exits()
            #expect(whole.output == session.read("reports/latest/summary.json"))
            let run = session.latestRun()
            for flag in ["--user=ann", "--receipt=ann", "--limit=1"] {
                let partial = try await session.run(flag, "--output=json").exits()
                let receipts = try partial.json()["controls"]["receipts"]
                #expect(receipts["in_scope"] == 1, "\(flag)")
            }
            try await session.run("--output", "none", "--user=ann").exits().printsNothing()
            try await session.run("--log-format=json", "--sandbox-url=ftp://h").exits(78)
                .says(#""event":"exit","code":78,"message":"--sandbox-url"#)
            #expect(session.published.count == 6)
            #expect(session.latestRun() == run)
        }
    }

    @Test("A trial run is published beside nightly runs, and changes neither ledger nor latest")
    func trial() async throws {
        try await Session.night { session in
            try await session.run().exits()
            let first = session.latestRun()
            let ledger = try await session.ledger()
            try await session.sql("delete from team.entitlements where who = 'ann'")
            let job = try await session.run("--trial", "--output=json").exits()
            let printed = try job.json()
            #expect(printed["scope"] == "trial")
            let trial = try await "reports/\(session.runs()[1])-trial"
            #expect(session.list(trial).contains("summary.json"))
            let refunds = session.report("refunds", in: trial)
            #expect(refunds.texts("lifecycle") == ["persisting"])
            for file in ["expirations", "refunds", "mismatches", "receipts", "not_reported"] {
                for line in session.report(file, in: trial).items {
                    #expect(line["scope"] == "trial", "\(file)")
                }
            }
            let found = session.allReported(in: trial)
            #expect(found["cleared"] == [Reported("expired_still_granted", of: "ann")])
            #expect(session.latestRun() == first)
            let ledgerAfterTrial = try await session.ledger()
            #expect(ledgerAfterTrial == ledger)
            try await session.run().exits()
            #expect(session.allReported() == found)
            #expect(session.report("summary")["previous_run"].text == first)
        }
    }

    @Test("The exit status tells what the run found, and its last line where to read it")
    func statuses() async throws {
        try await Session.night { session in
            try await session.sql("update team.entitlements set active = false where who = 'flo'")
            try await session.run("--fail-on=low", "--user=flo").exits(0).says("with 1 findings")
            try await session.sql("update team.entitlements set active = true where who = 'flo'")
            try await session.run("--fail-on=critical").exits(1)
                .says("--fail-on critical or worse. Read \(session.reports)/")
            try await session.run("--fail-on=none").exits(0)
                .says("is complete, with", "Read \(session.reports)/")
            try await session.run("--fail-on=high", "--user=flo").exits(1)
            try await session.run("--fail-on=high", "--user=ann").exits(1)
                .says("1 findings of --fail-on high or worse")
            try await session.run("--fail-on=high", "--user=eve", "--max-unverified=0%").exits(0)
                .says("with 1 findings")
            try await session.run("--fail-on=low", "--user=dan").exits(1)
            try await session.run("--fail-on=high", "--user=bob").exits(0)
                .says("complete, with 0 findings")
            try await session.run("--fail-on=low", "--max-runtime=1ms").exits(3)
                .says("incomplete: 4 of 5 receipts", "See \(session.reports)/")
            try await session.run("--max-unverified=100%", "--max-runtime=1ms").exits(3)
                .omits("or time ran out")
                .says("--max-runtime ended before every receipt was validated; 4 of")
        }
    }

    @Test("If Apple answers only errors, the run is published as incomplete and accuses no user")
    func outage() async throws {
        try await Session.with(acts: [:], others: .reply(status: "503 No", "")) { session in
            let quick = ["--max-attempts=2", "--outage-patience=0s"]
            // Without an answer: `dan`'s receipt is a StoreKit 2 transaction, `eve` has none.
            try await session.run(quick + ["--max-unverified=80%"]).exits(0)
            #expect(session.report("summary")["status"] == "complete")
            try await session.run(quick + ["--max-unverified=3"]).exits(3)
                .says("4 of 5 receipts are unverified")
            let summary = session.report("summary")
            #expect(summary["status"] == "incomplete")
            #expect(
                summary["findings"]["by_kind"] == ["grant_without_receipt": 1, "receipt_is_jws": 1])
            try await session.latestReports()
        }
    }
}

@Suite("A nightly run that ends early", .hangLimit)
struct EarlyEndTests {
    @Test("A run ends at once when the server's certificate is not trusted, unless by --ca-file")
    func untrusted() async throws {
        let certificate = try TLSCertificate()
        // Each answers `ok` to the first connection and accepts no other.
        let servers = [try TLSLoopbackServer(certificate), try TLSLoopbackServer(certificate)]
        let urls = servers.map { "--production-url=https://localhost:\($0.port)/" }
        let states = "select state from reconcile.run order by run_no"
        try await Session.with { session in
            try await session.run("--timeout=60s", "--max-attempts=1", urls[0]).exits(69)
                .says("certificate is not trusted")
            #expect(session.published == [])
            // The run can be resumed; with other settings it is abandoned.
            try await session.query(states).returns("open")
            try await session.run(
                "--timeout=20s", "--max-attempts=1", "--max-unverified=4",
                "--ca-file=\(certificate.file)", urls[1]
            ).exits().omits("certificate is not trusted")
            #expect(session.published.contains("latest"))
            try await session.query(states).returns("abandoned", "published")
        }
    }

    @Test("A signal ends the run soon with nothing published, and the next run is complete")
    func stopped() async throws {
        let monitor = try LoopbackServer { _ in [.reply("OK")] }
        try await Session.with(acts: [:], others: .stall) { session in
            // If the run waited for its requests, the test would hang.
            let job = try await session.start(
                "--timeout=1d", "--receipt-deadline=1d", "--ping-url=\(monitor.url)")
            await session.apple.production.arrival(of: 4)
            let end = await job.finish(by: SIGINT).exits(130).says(
                "Stopped by SIGINT; the run was cut short:", "Give the same command again.")
            let pings = monitor.requests
            try #require(pings.count == 2)
            #expect(pings[0].head.contains(" /verify/start "))
            #expect(pings[1].head.hasPrefix("POST /verify/fail "))
            let message = String(decoding: pings[1].body, as: UTF8.self)
            #expect(end.lastLine == "reconcile-job: " + message)
            #expect(session.published == [])
            let healed = try ScriptedApple { _ in [.reply(AppleAnswer.verified())] }
            try await session.run("--production-url=\(healed.production.url)").exits()
            #expect(session.published.count == 2)
        }
    }

    struct AppleClock: CustomTestStringConvertible, Sendable {
        let date: String
        let status: Int32
        let says: String
        let isPublished: Bool

        var testDescription: String { date }
    }

    @Test(
        "A run ends when Apple's clock differs by over a day, unless --as-of is given",
        arguments: [
            AppleClock(
                date: "Sun, 06 Nov 1994 08:49:37 GMT", status: 78,
                says: "Apple's clock says 1994-11-06T08:49:3", isPublished: false),
            AppleClock(date: "soon", status: 0, says: "is complete", isPublished: true),
        ])
    func wrongClock(clock: AppleClock) async throws {
        let act = LoopbackServer.Act.reply(
            headers: ["Date: \(clock.date)"], AppleAnswer.verified())
        try await Session.with(acts: [:], others: act) { session in
            let now = session.with(flags: { !$0.hasPrefix("--as-of=") })
            try await now.run().exits(clock.status).says(clock.says)
            #expect(session.published.contains("latest") == clock.isPublished)
            try await session.run().exits()
        }
    }
}

extension Session {
    /// A session after which every published folder is complete, and its files agree.
    static func night(_ body: (Session) async throws -> Void) async throws {
        try await with { session in
            try await body(session)
            for run in session.published {
                _ = try await PublishedReports(session.reports + "/" + run)
            }
        }
    }
}
