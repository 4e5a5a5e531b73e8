import Glibc
import Testing

@testable import Reconcile
@testable import TestSupport

private let nights = Session.all(
    #"""
    # The reports of a run agree with each other and have the same file modes under any umask
    umask 000; run | 0 | > Reports: $FOLDER/reports/$RUN1 \#
        | Run $RUN1 is complete, with 7 findings.
    echo $ASKED | 0 | = 8
    ls reports | 0 | ~ ^$RUN1\nlatest\n$
    readlink reports/latest | 0 | = $RUN1
    sh kinds | 0 | = expirations: expired_still_granted ann;refunds: refunded_still_granted flo \#
    refund_recorded flo;mismatches: grant_without_transaction cyd grant_without_receipt eve;\#
    receipts: receipt_not_authentic cyd receipt_is_jws dan;cleared:
    sh summary | 0 | > "run_id":"$RUN1","as_of":"2026-11-20T02:00:00Z" | > "status":"complete" \#
        | > "requests":{"sent":8, | > "receipts":{"in_scope":5,"verified":3,"rejected":1,\#
    "unusable":1,"unverified":0} | > "entitlements":{"in_scope":6,"consistent":1,\#
    "with_finding":4,"settling":0,"unverified":1,"not_judged":0}
    stat -c %a reports reports/$RUN1| uniq | 0 | = 750
    stat -c %a reports/$RUN1/*| uniq | 0 | = 640
    test $(ls reports/$RUN1| wc -l) -ge 14 | 0
    mv reports first; umask 077; run | 0
    stat -c %a reports reports/$RUN2| uniq | 0 | = 750
    stat -c %a reports/$RUN2/*| uniq | 0 | = 640
    rm -r reports; mv first reports | 0

    # A dry run writes nothing, a partial run not latest, and each prints what is requested
    run --dry-run --rate=2 | 0 | ~ ^$ | 5 receipts of 6 users would be requested, in at least 3 s
    echo $ASKED | 0 | = 0
    test -e reports | 1
    select count(*)::text from reconcile.run | 0
    run --output=json > json; cmp json reports/latest/summary.json | 0
    run --user=ann --output=json | 0 | > "in_scope": 1,
    run --receipt=ann --output=json | 0 | > "in_scope": 1,
    run --limit=1 --output=json | 0 | > "in_scope": 1,
    run --output none --user=ann | 0 | ~ ^$
    ls reports| wc -l | 0 | = 6
    readlink reports/latest | 0 | = $RUN1

    # A trial run is published beside nightly runs, and changes neither ledger nor latest
    run | 0
    create table team.before as table reconcile.ledger
    delete from team.entitlements where who = 'ann'
    run --trial --output=json | 0 | > "scope": "trial"
    ln -s reports/$RUN2-trial trial; ls trial/ | 0 | > summary.json
    grep -o '"lifecycle":"[a-z]*"' trial/refunds.json | 0 | = "lifecycle":"persisting"
    grep -h '"run_id"' trial/*s.json trial/not*.json| grep -v '"scope":"trial"' | 1
    FROM=trial sh kinds > kinds1; cat kinds1 | 0 | > ;cleared: expired_still_granted ann
    readlink reports/latest | 0 | = $RUN1
    select count(*)::text from ((table reconcile.ledger except table team.before) \#
    union all (table team.before except table reconcile.ledger)) as changes | 0
    run | 0
    sh kinds| cmp - kinds1 | 0
    sh summary | 0 | > "previous_run":"$RUN1"

    # The exit status tells what the run found
    run --fail-on=critical | 1 | --fail-on critical or worse
    run --fail-on=high | 1 | --fail-on high or worse
    run --fail-on=none | 0 | complete
    run --fail-on=high --max-runtime=1ms | 3 | is incomplete: 4 of 5 receipts
    run --max-unverified=100% --max-runtime=1ms | 3 | ! or time ran out \#
        | --max-runtime ended before every receipt was validated; 4 of
    run --fail-on=high --user=bob | 0 | complete, with 0 findings
    """#)

@Suite("A nightly run", .timeLimit(.minutes(10)))
struct NightTests {
    @Test("A run is published as latest, and one over a part or on trial is not", arguments: nights)
    func session(session: Session) async throws {
        try await NightScene.with(asJob: true) { scene in
            try await scene.steps(session.steps)
            for run in scene.published {
                try PublishedReports(scene.reports + "/" + run).expectToTieOut()
            }
        }
    }

    @Test(
        "If Apple answers only errors, the run is published as incomplete and accuses no user",
        arguments: [
            .reply(status: "503 No", ""), .reply(status: "429 No", headers: ["Retry-After: 7"], ""),
            .reply("<html></html>"), .reply(AppleAnswer.status(21002)),
        ] as [LoopbackServer.Act])
    func outage(act: LoopbackServer.Act) async throws {
        try await NightScene.with(acts: NightScene.all(act)) { scene in
            let run = "run --max-attempts=2 --receipt-deadline=5s --outage-patience=0s"
            // Without an answer: `dan`'s receipt is a StoreKit 2 transaction, `eve` has none.
            try await scene.steps(
                """
                \(run) --max-unverified=80% | 0
                sh summary | 0 | > "status":"complete"
                \(run) --max-unverified=79% | 3
                sh summary | 0 | > "by_kind":{"grant_without_receipt":1,"receipt_is_jws":1} \
                    | > "status":"incomplete"
                """)
            try scene.latestReports()
        }
    }

    @Test("A run ends at once when the server's certificate is not trusted, unless by --ca-file")
    func untrusted() async throws {
        let certificate = try TLSCertificate()
        // Each answers `ok` to the first connection and accepts no other.
        let servers = [try TLSLoopbackServer(certificate), try TLSLoopbackServer(certificate)]
        let urls = servers.map { "--production-url=https://localhost:\($0.port)/" }
        try await NightScene.with { scene in
            // The run can be resumed; with other settings it is abandoned.
            try await scene.steps(
                """
                run --timeout=60s --max-attempts=1 \(urls[0]) | 69 | certificate is not trusted
                ls reports | 0 | ~ ^$
                select state from reconcile.run | open
                run --timeout=5s --max-attempts=1 --max-unverified=4 --ca-file=\(certificate.file) \
                \(urls[1]) | 0 | ! certificate is not trusted
                ls reports | 0 | > latest
                select state from reconcile.run order by run_no | abandoned,published
                run --production-url=http://127.0.0.1:\(try LoopbackSocket.closedPort())/ \
                --new --max-attempts=1 | 69 | requests to Apple was answered
                select state from reconcile.run where run_no = 3 | failed
                """)
        }
    }

    @Test("The second of two simultaneous runs ends at once; none resumes an unfinished trial")
    func locked() async throws {
        let gate = Gate()
        try await NightScene.with(onAsk: gate.wait) { scene in
            let trial = try scene.start(["--trial"])
            await scene.apple.production.arrival(of: 4)
            await trial.end(by: SIGKILL)
            let first = try scene.start()
            await scene.apple.production.arrival(of: 8)
            // Views are checked before the lock.
            try await scene.steps(
                """
                run | 75 | Another run is in progress: run
                ls reports | 0 | ~ ^$
                alter view reconcile.catalog_apps rename column paid_until to hidden
                run | 65
                """)
            gate.open()
            await first.end().ends()
            #expect(try await scene.published == [scene.runs[1], "latest"])
            let states = try await scene.test.texts(
                "select state || ' ' || is_trial from reconcile.run order by run_no")
            #expect(states.last == "published false")
            #expect(states.first == "open true" || states.first == "abandoned true")
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
            await job.end(by: signal)
                .ends(status, last: ["nothing was published. Run the same command again."])
            #expect(sent.duration(to: .now) < .seconds(60))
            #expect(scene.published == [])
            let healed = try ScriptedApple { _ in [.reply(AppleAnswer.verified())] }
            try await scene.run("--production-url", healed.production.url).ends()
            #expect(scene.published.count == 2)
        }
    }

    @Test("A run ends when Apple's clock differs by over a day, unless --as-of is given")
    func wrongClock() async throws {
        let past = "78 | Apple's clock says 1994-11-06T08:49:3"
        for (date, end) in [("Sun, 06 Nov 1994 08:49:37 GMT", past), ("soon", "0")] {
            let act = LoopbackServer.Act.reply(headers: ["Date: \(date)"], AppleAnswer.verified())
            try await NightScene.with(acts: NightScene.all(act)) { scene in
                try await scene.steps(
                    """
                    "$0" run $(echo $NIGHTLY| sed 's/--as-of=[^ ]*//') | \(end)
                    ls reports| grep latest | \(end == "0" ? 0 : 1)
                    """)
                if end == past { try await scene.run().ends() }
            }
        }
    }
}
