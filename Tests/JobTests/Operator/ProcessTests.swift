import Foundation
import Testing

@testable import TestSupport
@testable import reconcile_job

@Suite("The job's process", .timeLimit(.minutes(10)))
struct ProcessTests {
    @Test(
        "A full device behind stdout is an error of its own",
        arguments: ["--help", "help", "--version", "run --help", "simulate --customers=1"],
        [">/dev/full", ">&-"])
    func full(arguments: String, redirection: String) async throws {
        try await JobProcess.shell("$0 \(arguments) \(redirection)").ends(
            74, "reconcile-job: Cannot write to stdout: | $ Check where it is redirected.")
    }

    private func end(after signals: Int32..., launcher: String = "") async throws -> JobProcess {
        let job = try ChildProcess("exec \(launcher) \"$0\" simulate --customers=1")
        await job.ready()
        for signal in signals { job.send(signal) }
        return await job.finish()
    }

    @Test(
        "A crash signal ends the process at once, without a core of its memory",
        arguments: [SIGABRT, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP])
    func crash(signal: Int32) async throws {
        try await end(after: signal).ends(signal, "2~ ^$")
    }

    @Test("SIGHUP stops the job as SIGTERM does, and has no effect on a job under nohup")
    func hangUp() async throws {
        try await end(after: SIGHUP).ends(129, "Stopped by SIGHUP;")
        try await end(after: SIGHUP, SIGTERM, launcher: "nohup").ends(143, "Stopped by SIGTERM;")
    }

    @Test("The version is the release and the commit, from the archive or linked in")
    func version() {
        let texts = [
            Version.text(archived: "3f2a91c", linked: "unknown"),
            Version.text(archived: "$Format:%h$", linked: "3f2a91c0d7b4.modified"),
            Version.text(archived: "$Format:%h$", linked: nil),
        ]
        let commits = ["3f2a91c", "3f2a91c0d7b4.modified", "unknown"]
        #expect(texts == commits.map { "\(Version.release)+\($0)" })
    }

    @Test("After SIGUSR1 the run continues and prints its progress; --wait waits for the other run")
    func wait() async throws {
        let gate = Gate()
        try await Session.with(onAsk: gate.wait) { scene in
            let first = try scene.startShell("--quiet 2>&1")
            await scene.apple.production.arrival(of: 1)
            first.send(SIGUSR1)
            await first.ready()
            try await scene.steps("run --wait=200ms | 75")
            let second = try scene.startShell("--wait=5m 2>&1")
            // It waits before it prints anything else.
            await second.ready()
            gate.open()
            await first.finish().ends(0, #"~ ^reconcile-job: [^\n]+\n$"#)
            await second.finish().ends(0, "> Another run over everything is running: run")
            // The second has done a run of its own.
            #expect(scene.published.count == 3)
        }
    }

    @Test("The ping URL is called at the start and the end, and is shown nowhere")
    func ping() async throws {
        let monitor = try LoopbackServer { _ in [.reply("OK")] }
        let closed = try LoopbackSocket.closedPort()
        try await Session.with { scene in
            let held = try await scene.steps(
                """
                run --ping-url=http://monitor.example/canary-5e | 78 | ! canary-5e
                run --ping-url=http://127.0.0.1:\(closed)/canary-5e | 0 | ! canary-5e \
                    | 2> Could not ping --ping-url:
                run --ping-url=\(monitor.url)/canary-5e | 0 | ! canary-5e
                run --ping-url=\(monitor.url)/canary-5e --guards=on | 4 | ! canary-5e
                """)
            let ping = try #require(monitor.requests.last)
            #expect(held.lastLine == "reconcile-job: " + String(decoding: ping.body, as: UTF8.self))
        }
        let paths = monitor.requests.map { String($0.head.split(separator: " ")[1]) }
        #expect(paths == ["/start", "", "/start", "/fail"].map { "/verify/canary-5e" + $0 })
    }

    @Test("A run without any answer ends with the most frequent reason, and what to do about it")
    func reasons() async throws {
        let garbled = try LoopbackServer { _ in
            [.reply(headers: ["Content-Encoding: gzip"], "abcd"), .hangUp]
        }
        let old = try TLSLoopbackServer(
            try TLSCertificate(), options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
        let proxy = try LoopbackServer { _ in [.reply(status: "403 Forbidden", "")] }
        let closed = "http://127.0.0.1:\(try LoopbackSocket.closedPort())/"
        // The resolver itself refuses the empty label, so no network is used.
        let reasons = """
            \(closed) | No connection was made (curl 7 \
                | Check the URL, the firewall and the proxy (https_proxy).
            https://no..such/ | The host name was not found (curl 6 \
                | Check the URL and the machine's DNS.
            https://localhost:\(old.port)/ | The TLS handshake failed (curl 35 \
                | The server must offer TLS 1.2 or later; check the proxy.
            \(garbled.url) | The answer cannot be decoded (curl 61 \
                | It is not from Apple: check the URL and any proxy on the way.
            """
        let quick = "--max-attempts=1 --outage-patience=0s --new"
        try await Session.with { scene in
            for (url, says, advises) in reasons.triples {
                try await scene.steps(
                    """
                    run --production-url=\(url) \(quick) | 69 | $ \(advises) Then run again. \
                        | requests to Apple was answered; nothing was | \(says)
                    """)
            }
            try await scene.steps(
                """
                run --production-url=\(closed) --sandbox-url=\(closed) \(quick) | 69
                select state from reconcile.run where run_no in (1, 5) | failed,failed
                export https_proxy=http://127.0.0.1:\(proxy.port); \
                    run --production-url=https://apple.invalid/verify \(quick) | 69
                """)
            #expect(scene.published == [])
            // A proxy learns the job's name and nothing else.
            #expect(
                proxy.requests.first?.head == """
                    CONNECT apple.invalid:443 HTTP/1.1\r
                    Host: apple.invalid:443\r
                    Proxy-Connection: Keep-Alive\r
                    User-Agent: reconcile-job/\(Version.release)\r
                    \r\n
                    """)
        }
    }

    @Test("An announced end of verifyReceipt is logged once, and is in summary, page and metrics")
    func announcedEnd() async throws {
        let headers = ["Deprecation: @1798761600", "Sunset: Fri, 31 Dec 2027 23:59:59 GMT"]
        let answer = LoopbackServer.Act.reply(headers: headers, AppleAnswer.verified())
        try await Session.with(acts: [:], others: answer) { scene in
            let dates = "as of 2027-01-01T00:00:00Z and ends on 2027-12-31T23:59:59Z."
            try await scene.steps(
                """
                run --metrics-file=$FOLDER/prom 2> said | 0 \
                    | > NOTICE: Apple's answers say that verifyReceipt is deprecated \(dates)
                grep -c retirement_announced said; cat said | 0 | ~ ^1\\n | > deprecated \(dates)
                cat reports/latest/index.html | 0 | > verifyReceipt is deprecated \(dates)
                grep -A9 retirement */latest/summary.json | 0 | > "ends_at": "2027-12-31T23:59:59Z"
                cat prom | 0 | ~ \\nreconcile_apple_retirement_announced 1\\n \
                    | > reconcile_apple_retirement_timestamp_seconds{date="ends"} 1830297599.0
                """)
        }
    }
}

let processSessions = TextSession.all(
    #"""
    # --quiet prints nothing on success, and the last line otherwise
    run --quiet --fail-on=none | 0 | = | 2~ ^$
    job check --quiet --max-age=1000d | 0 | = | 2~ ^$
    run --quiet --fail-on=low --new | 1 | = | 2~ ^reconcile-job: Run [^\n]+\n$

    # check tells a monitor whether the last run is recent, complete and not held
    job check --max-age=26h | 2 | ~ ^CRITICAL: | > : No run over everything has been published.
    run --output=none && job check --max-age=1000d | 0 | ~ ^OK: Run
    job check --max-age=1ms | 2 | ~ ^CRITICAL: | > older than --max-age
    run --guards=on | 4
    job check --max-age=1000d | 2 | ~ ^CRITICAL: | > is held: later runs ignore it.
    run --max-runtime=1ms | 3
    job check --max-age=1000d | 2 | ~ ^CRITICAL: | > is incomplete.

    # The metrics file has the run's numbers, and keeps the last success when a run fails
    umask 027; run --metrics-file=$FOLDER/prom | 0
    cat prom; grep '^[^#]*success_t' prom > success | 0 | > reconcile_receipts{outcome="verified"} 3
    run --metrics-file=$FOLDER/prom --guards=on | 4
    grep -F "$(cat success)" prom && tee full < prom | 0 | > reconcile_run_status{status="held"} 1
    run --metrics-file=$FOLDER/prom --user=ann | 0
    cmp prom full; stat -c %a prom; ls | 0 | > 644 | ! .tmp | ! differ

    # --keep-history removes older history after publication, and reports what it removed
    create view team.first as select from reconcile.outcome where run_no = 1
    run; run | 0
    update reconcile.run set finished_at = finished_at - interval '401 days'
    run --keep-history=off | 0
    select (count(*) > 0)::text from team.first | true
    run | 0 | 2> pruned runs=2
    select (count(*) > 0)::text from team.first | false

    # If the summary cannot be written the reports stay, and the run keeps its exit status
    run --fail-on=none > /dev/full | 0 | Read $FOLDER/reports \#
        | The summary could not be written to stdout.
    run --fail-on=low --new > /dev/full | 1 | Read $FOLDER/reports | summary could not be written
    ls reports | 0 | ~ ^\S+\n\S+\nlatest\n$

    # The open-file limit is raised as far as it may be, lowers --in-flight, or ends the run with 71
    prlimit --nofile=60 "$0" run $NIGHTLY | 71 | This process may open 60 files
    prlimit --as=200000000 "$0" run $NIGHTLY | 71 | This process may use 190 MiB of address space
    echo $ASKED; ls -d reports/2* | 2 | = 0
    prlimit --nofile=120:120 "$0" run $NIGHTLY --in-flight=1000 2> said | 0
    grep in-flight said | 0 | ~ ^.*--in-flight is 28, not 1000: this process may open 120 files.*\n$
    prlimit --nofile=120:4096 "$0" run $NIGHTLY --in-flight=1000 | 0 | ! --in-flight is

    # A run without changes adds no history, and --evidence none keeps no answers
    run --evidence=none | 0
    select count(*)::text from reconcile.evidence | 0
    select count(*)::text from reconcile.judged_user | 6
    job explain --user=ann | 0 | > expired_still_granted
    run && run | 0
    select count(*)::text from reconcile.judged_user | 6
    update team.entitlements set expires = '2027-01-10T02:00:00Z' where who = 'flo'
    run | 0
    select count(*)::text from reconcile.judged_user | 7
    job explain --user=flo --run=$RUN3 | 0 | > 2026-12-10T02:00:00Z
    job explain --user=flo | 0 | > 2027-01-10T02:00:00Z

    # report writes a folder again byte for byte, also for Excel, a trial or a retracted run
    run --evidence=all --csv-dialect=excel | 0
    od -An -tx1 -N3 reports/latest/refunds.csv | 0 | ~ ^ ef bb bf\n$
    head -c1 reports/latest/refunds.json; "$0" verify reports/latest | 0 | = [
    delete from team.entitlements where who = 'ann'
    run | 0
    job accept $FINDING --by=ada --why=known && run --trial | 0
    job run --csv-dialect=tsv | 64
    job retract $RUN2 --by=ada --why=prices --reports=reports | 0
    set -e; for run in $RUN1 $RUN2 $RUN3; do job report $run --reports=copies; done | 0
    diff -r -x RETRACTED.json -x latest -x '.*' copies reports | 0
    cat copies/$RUN3-trial/summary.json | 0 | ~ "since" ?: ?"$RUN2" \#
        | ~ "earlier_nights"(?s:.*?)"run_id" ?: ?"$RUN2"(?s:.*?)"run_id" ?: ?"$RUN1"
    ls copies | 0 | ! latest
    job report $RUN2 --reports=reports | 0

    # A variable that is almost one of the job's is named without its value, and ignored
    env RECONCILE_RAET=hunter2 RECONCILE_MAXUNVERIFIED=1% RECONCILE_SERVICE_HOST=10.0.0.1 \#
        RECONCILE_PORT_80_TCP=x RECONCILE_SEED=frog "$0" runs --database=host=/none 2> said | 69
    grep -c warning said; cat said | 0 | ~ ^2\n | ! hunter2 | > RECONCILE_RAET is not read. \#
        | > Did you mean RECONCILE_RATE? | > Did you mean RECONCILE_MAX_UNVERIFIED?
    """#)
