import Glibc
import Testing

@testable import TestSupport
@testable import reconcile_job

@Suite("The job's process", .timeLimit(.minutes(10)))
struct ProcessTests {
    @Test(
        "A full device behind stdout is an error of its own",
        arguments: ["--help", "help", "--version", "run --help", "simulate --customers=1"],
        [">/dev/full", ">&-"])
    func full(arguments: String, redirection: String) throws {
        try JobProcess("$0 \(arguments) \(redirection)").ends(
            74, "reconcile-job: Cannot write to stdout: | $ Check where it is redirected.")
    }

    private func end(after signals: Int32..., launcher: String = "") async throws -> JobProcess {
        let job = try RunningJob("exec \(launcher) \"$0\" simulate --customers=1")
        await job.ready()
        for signal in signals { job.send(signal) }
        return await job.end()
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
        for (archived, linked, expected) in textTriples(
            """
            3f2a91c | none | +3f2a91c
            3f2a91c | unknown | +3f2a91c
            $Format:%h$ | 3f2a91c0d7b4 | +3f2a91c0d7b4
            $Format:%h$ | none | +unknown
            $Format:%h$ | 3f2a91c0d7b4.modified | +3f2a91c0d7b4.modified
            """)
        {
            let text = Version.text(archived: archived, linked: linked == "none" ? nil : linked)
            #expect(text == Version.release + expected)
        }
    }
}

private let sessions = Session.all(
    #"""
    # --quiet prints nothing on success, and the last line otherwise
    run --quiet --fail-on=none | 0 | = | 2~ ^$
    job check --quiet --max-age=1000d | 0 | = | 2~ ^$
    run --quiet --fail-on=low --new | 1 | = | 2~ ^reconcile-job: Run [^\n]+\n$

    # check tells a monitor whether the last run is recent, complete and not held
    job check --max-age=26h | 2 | ~ ^CRITICAL: | > : No run over everything has been published.
    run | 0
    job check --max-age=1000d | 0 | ~ ^OK: Run
    job check --max-age=1ms | 2 | ~ ^CRITICAL: | > older than --max-age
    run --guards=on | 4
    job check --max-age=1000d | 2 | ~ ^CRITICAL: | > is held: later runs ignore it.
    run --max-runtime=1ms | 3
    job check --max-age=1000d | 2 | ~ ^CRITICAL: | > is incomplete.

    # The metrics file has the run's numbers, and keeps the last success when a run fails
    umask 027; run --metrics-file=$FOLDER/prom | 0
    cat prom | 0 | > reconcile_receipts{outcome="verified"} 3
    grep '^[^#]*last_success_t' prom > success | 0
    run --metrics-file=$FOLDER/prom --guards=on | 4
    grep -F "$(cat success)" prom && cp prom full | 0
    cat prom | 0 | > reconcile_run_status{status="held"} 1
    run --metrics-file=$FOLDER/prom --user=ann | 0
    cmp prom full; stat -c %a prom; ls | 0 | > 644 | ! .tmp | ! differ
    run --metrics-file=/nowhere/a.prom | 78 | --metrics-file: cannot write in /nowhere

    # --keep-history removes older history after publication, and reports what it removed
    create view team.first as select o.run_id from reconcile.outcome as o \#
        inner join reconcile.run as r on r.run_id = o.run_id where r.run_no = 1
    run; run | 0
    update reconcile.run set finished_at = finished_at - interval '401 days'
    run --keep-history=off | 0
    select (count(*) > 0)::text from team.first | true
    run | 0 | 2> pruned runs=2
    select (count(*) > 0)::text from team.first | false

    # If the summary cannot be written the reports stay, and the run keeps its exit status
    run --fail-on=none > /dev/full | 0 | Read $FOLDER/reports \#
        | The summary could not be written to stdout.
    run --fail-on=low --new > /dev/full | 1 | Read $FOLDER/reports \#
        | The summary could not be written to stdout.
    ls reports | 0 | ~ ^\S+\n\S+\nlatest\n$

    # The open-file limit is raised as far as it may be, and then lowers --in-flight
    prlimit --nofile=120:120 "$0" run $NIGHTLY --in-flight=1000 2> said | 0
    grep -e --in-flight said | 0 \#
        | ~ ^[^\n]*--in-flight is 28, not 1000: this process may open 120 files[^\n]*\n$
    prlimit --nofile=120:4096 "$0" run $NIGHTLY --in-flight=1000 | 0 | ! --in-flight is

    # A run without changes adds no history, and --evidence none keeps no answers
    run --evidence=none | 0
    select count(*)::text from reconcile.judged_user | 0
    job explain --user=ann | 0 | > No record of the verdicts is kept | > expired_still_granted
    run | 0
    select count(*)::text from reconcile.judged_user | 6
    run | 0
    select count(*)::text from reconcile.judged_user | 6
    update team.entitlements set expires = '2027-01-10T02:00:00Z' where who = 'flo'
    run | 0
    select count(*)::text from reconcile.judged_user | 7
    job explain --user=flo --run=$RUN3 | 0 | > 2026-12-10T02:00:00Z
    job explain --user=flo | 0 | > 2027-01-10T02:00:00Z

    # report writes a folder again byte for byte, also for Excel, a trial or a retracted run
    run --evidence=all --csv-dialect=excel | 0
    od -An -tx1 -N3 reports/latest/refunds.csv | 0 | ~ ^ ef bb bf\n$
    head -c1 reports/latest/refunds.json | 0 | = [
    "$0" verify reports/latest | 0
    delete from team.entitlements where who = 'ann'
    run | 0
    job accept $FINDING --by=ada --why=known | 0
    run --trial | 0
    job run --csv-dialect=tsv | 64
    job retract $RUN2 --by=ada --why=prices --reports=reports | 0
    set -e; for run in $RUN1 $RUN2 $RUN3; do job report $run --reports=copies; done | 0
    diff -r copies/$RUN1 reports/$RUN1 | 0
    diff -r -x RETRACTED.json copies/$RUN2 reports/$RUN2 | 0
    diff -r copies/$RUN3-trial reports/$RUN3-trial | 0
    cat copies/$RUN3-trial/summary.json | 0 | ~ "since" ?: ?"$RUN2" \#
        | ~ "earlier_nights"(?s:.*?)"run_id" ?: ?"$RUN2"(?s:.*?)"run_id" ?: ?"$RUN1"
    ls copies | 0 | ! latest
    job report $RUN2 --reports=reports | 0

    # With too few open files for any work the run ends with 71 before the first request
    prlimit --nofile=60:60 "$0" run $NIGHTLY | 71 | This process may open 60 files
    prlimit --as=200000000:200000000 "$0" run $NIGHTLY \#
        | 71 | This process may use 190 MiB of address space
    echo $ASKED | 0 | = 0
    ls -d reports/2* | 2

    # A variable that is almost one of the job's is named without its value, and ignored
    env RECONCILE_RAET=hunter2 RECONCILE_MAXUNVERIFIED=1% RECONCILE_SERVICE_HOST=10.0.0.1 \#
        RECONCILE_PORT_80_TCP=x RECONCILE_SEED=frog "$0" run --database=host=/none 2> said | 69
    grep -c warning said | 0 | = 2
    cat said | 0 | ! hunter2 | > RECONCILE_RAET is not read. | > Did you mean RECONCILE_RATE? \#
        | > Did you mean RECONCILE_MAX_UNVERIFIED?
    """#)

@Suite("A session of an operator", .timeLimit(.minutes(10)))
struct SessionTests {
    @Test(
        "Each command ends and shows what an operator, a cron job or an investigator needs",
        arguments: sessions + databaseSessions + fileSessions + roleSessions + investigations)
    func night(session: Session) async throws {
        try await NightScene.with { try await $0.steps(session.steps) }
    }
}
