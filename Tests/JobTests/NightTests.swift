import Glibc
import Testing

@testable import TestSupport

private let nights = Session.all(
    #"""
    # The reports of a run agree with each other and have the same file modes under any umask
    umask 000; run | 0 | > Reports: $FOLDER/reports/$RUN1 \#
        | Run $RUN1 is complete, with 7 findings.
    echo $ASKED; ls reports; readlink reports/latest | 0 | = 8¶$RUN1¶latest¶$RUN1
    sh kinds | 0 | = expirations: expired_still_granted ann;refunds: refunded_still_granted flo \#
    refund_recorded flo;mismatches: grant_without_transaction cyd grant_without_receipt eve;\#
    receipts: receipt_not_authentic cyd receipt_is_jws dan;cleared:
    sh summary | 0 | > "run_id":"$RUN1","as_of":"2026-11-20T02:00:00Z" | > "status":"complete" \#
        | > "requests":{"sent":8, | > "receipts":{"in_scope":5,"verified":3,"rejected":1,\#
    "unusable":1,"unverified":0} | > "entitlements":{"in_scope":6,"consistent":1,\#
    "with_finding":4,"settling":0,"unverified":1,"not_judged":0}
    stat -c %a reports reports/$RUN1 reports/$RUN1/*| uniq | 0 | = 750¶640
    mv reports first; umask 077; run | 0
    stat -c %a reports reports/$RUN2 reports/$RUN2/*| uniq | 0 | = 750¶640

    # A dry run writes nothing, a partial run not latest, and each prints what is requested
    run --dry-run --rate=2 | 0 | ~ ^$ | 5 receipts of 6 users would be requested, in at least 3 s
    echo $ASKED; ls reports | 2 | = 0
    job runs | 0 | = No run has been opened yet.
    job report 2026 --reports=reports | 66 | There is no run 2026
    run --output=json > json; cmp json reports/latest/summary.json | 0
    set -e; for flag in user=ann receipt=ann limit=1; do run --$flag --output=json > json; \#
        grep '"in_scope": 1,' json; done | 0
    run --output none --user=ann | 0 | =
    run --log-format=json --sandbox-url=ftp://h | 78 \#
        | "event":"exit","code":78,"message":"--sandbox-url
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

    # The exit status tells what the run found, and its last line where to read it
    update team.entitlements set active = false where who = 'flo'
    run --fail-on=low --user=flo | 0 | with 1 findings
    update team.entitlements set active = true where who = 'flo'
    run --fail-on=critical | 1 | --fail-on critical or worse. Read $FOLDER/reports/
    run --fail-on=none | 0 | is complete, with | Read $FOLDER/reports/
    run --fail-on=high --user=flo | 1
    run --fail-on=high --user=ann | 1 | 1 findings of --fail-on high or worse
    run --fail-on=high --user=eve --max-unverified=0% | 0 | with 1 findings
    run --fail-on=low --user=dan | 1
    run --fail-on=high --user=bob | 0 | complete, with 0 findings
    run --fail-on=low --max-runtime=1ms | 3 | incomplete: 4 of 5 receipts | See $FOLDER/reports/
    run --max-unverified=100% --max-runtime=1ms | 3 | ! or time ran out \#
        | --max-runtime ended before every receipt was validated; 4 of
    """#)

private let flags = "--by=ada --why='prices in cents' --reports=reports"

private let decisions = Session.all(
    #"""
    # A finding is accepted by a prefix of its id, listed and printed, until that is undone
    grep refund_recorded reports/latest/refunds.csv| cut -d, -f1 > event | 0
    job accept $(cat event) --by=ada --why=known | 64 | is an event (refund_recorded)
    job accept 0123456789abcdef0123456789abcdef --by=ada --why=known | 64 \#
        | No published run has reported a finding 0123456789abcdef0123456789abcdef
    job accept $FINDING --undo --by=ada --why=known | 64 | is not accepted
    select count(*)::text from reconcile.acceptance | 0
    job accept $(printf %.9s $FINDING) --by=ada --why='a tester' --until=2030-01-01T00:00:00Z \#
        | 0 | $FINDING | of user ann
    job accept --list | 0 | ~ ^$FINDING | > accepted by ada until 2030-01-01T00:00:00Z: a tester
    run | 0
    grep $FINDING reports/latest/expirations.json | 0 | > "lifecycle":"accepted"
    grep ada reports/latest/index.html | 0 | > a tester
    sh summary | 0 | ~ "accepted":\[\{[^}]*"by":"ada","why":"atester",\#
    "until":"2030-01-01T00:00:00Z"\}\]
    job accept $FINDING --undo --by=bea --why='no tester' | 0
    job accept --list && run --output=none | 0 | ~ ^$
    grep $FINDING reports/latest/expirations.json | 0 | > "lifecycle":"persisting"

    # The newest run is removed from history, its folder says so, and latest moves back
    delete from team.entitlements where who = 'ann'
    run | 0
    job retract $RUN1 \#(flags) | 64 | the newest is $RUN2
    job retract 20 \#(flags) | 64 | Several runs begin with 20
    job retract 1999 \#(flags) | 64 | There is no run 1999
    job retract $RUN2 \#(flags) --reports=/nowhere/reports | 73 | /nowhere/reports
    readlink reports/latest | 0 | = $RUN2
    select state from reconcile.run | published,published
    job retract $(printf %.22s $RUN2) \#(flags) | 0 | Run $RUN2 is retracted: prices in cents. \#
        | The newest published run is now $RUN1.
    ls reports/$RUN2 | 0 | > summary.json
    cat reports/$RUN2/RETRACTED.json | 0 | > "retracted_by": "ada" | > : "prices in cents"
    readlink reports/latest | 0 | = $RUN1
    job retract $RUN2 \#(flags) | 0
    run | 0
    sh kinds cleared | 0 | = cleared: expired_still_granted ann

    # All runs can be retracted, also without folders, and an acceptance then be undone
    run | 0
    job accept $FINDING --by=ada --why=known && mv reports/$RUN1 gone | 0
    job retract $RUN2 \#(flags) | 0 | was written again
    readlink reports/latest | 0 | = $RUN1
    diff -r gone reports/$RUN1 && rm -r gone | 0
    job retract $RUN1 \#(flags) --reports=. | 73 | is retracted in the database
    select state from reconcile.run | retracted,retracted
    job retract $RUN1 \#(flags) && ls reports | 0 | ! latest
    select count(*)::text from reconcile.ledger | 0
    job accept $(printf %.9s $FINDING) --undo --by=b --why=x | 0 | No longer accepted: | $FINDING
    job accept --list | 0 | ~ ^$

    # A folder whose run was not recorded is marked by a later run, and not added up twice
    update reconcile.run set state = 'open', finished_at = null, is_complete = null
    run --new | 0 | 2> $RUN1 exists, but its run was not recorded
    cat reports/$RUN1/RETRACTED.json | 0 | > "retracted_by": "reconcile-job"
    readlink reports/latest | 0 | = $RUN2
    """#, after: "run | 0")

@Suite("A nightly run", .timeLimit(.minutes(10)))
struct NightTests {
    @Test(
        "Reports and latest follow from the runs, and from what is accepted or retracted",
        arguments: nights + decisions)
    func session(session: Session) async throws {
        try await NightScene.with { scene in
            try await scene.steps(session.steps)
            for run in scene.published { _ = try await PublishedReports(scene.reports + "/" + run) }
        }
    }

    @Test("If Apple answers only errors, the run is published as incomplete and accuses no user")
    func outage() async throws {
        try await NightScene.with(acts: [:], others: .reply(status: "503 No", "")) { scene in
            let run = "run --max-attempts=2 --outage-patience=0s"
            // Without an answer: `dan`'s receipt is a StoreKit 2 transaction, `eve` has none.
            try await scene.steps(
                """
                \(run) --max-unverified=80% | 0
                sh summary | 0 | > "status":"complete"
                \(run) --max-unverified=3 | 3 | 4 of 5 receipts are unverified
                sh summary | 0 | > "by_kind":{"grant_without_receipt":1,"receipt_is_jws":1} \
                    | > "status":"incomplete"
                """)
            try await scene.latestReports()
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
                ls reports | 0 | =
                select state from reconcile.run | open
                run --timeout=5s --max-attempts=1 --max-unverified=4 --ca-file=\(certificate.file) \
                    \(urls[1]) && ls reports | 0 | ! certificate is not trusted | > latest
                select state from reconcile.run order by run_no | abandoned,published
                """)
        }
    }

    @Test("A signal ends the run soon with nothing published, and the next run is complete")
    func stopped() async throws {
        let monitor = try LoopbackServer { _ in [.reply("OK")] }
        try await NightScene.with(acts: [:], others: .stall) { scene in
            // Far longer than a stop may take, even on a busy machine.
            let job = try scene.start("--timeout=120s --ping-url=\(monitor.url)")
            await scene.apple.production.arrival(of: 4)
            let sent = ContinuousClock.now
            let end = await job.finish(by: SIGINT).ends(
                130, "Stopped by SIGINT; the run was cut short: | Give the same command again.")
            #expect(sent.duration(to: .now) < .seconds(60))
            let pings = monitor.requests
            #expect(pings.count == 2 && pings[0].head.contains(" /verify/start "))
            #expect(pings[1].head.hasPrefix("POST /verify/fail "))
            let told = String(decoding: pings[1].body, as: UTF8.self)
            #expect(end.lastLine == "reconcile-job: " + told)
            #expect(scene.published == [])
            let healed = try ScriptedApple { _ in [.reply(AppleAnswer.verified())] }
            try await scene.steps("run --production-url=\(healed.production.url) | 0")
            #expect(scene.published.count == 2)
        }
    }

    @Test(
        "A run ends when Apple's clock differs by over a day, unless --as-of is given",
        arguments: """
            Sun, 06 Nov 1994 08:49:37 GMT | 78 | Apple's clock says 1994-11-06T08:49:3 | 1
            soon | 0 | is complete | 0
            """.rows)
    func wrongClock(row: [String]) async throws {
        let act = LoopbackServer.Act.reply(headers: ["Date: \(row[0])"], AppleAnswer.verified())
        try await NightScene.with(acts: [:], others: act) { scene in
            try await scene.steps(
                """
                "$0" run $(echo $NIGHTLY| sed 's/--as-of=[^ ]*//') | \(row[1]) | \(row[2])
                ls reports| grep latest | \(row[3])
                run | 0
                """)
        }
    }
}
