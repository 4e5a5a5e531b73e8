import Glibc
import Testing

@testable import TestSupport
@testable import reconcile_job

/// A flag or a variable with its value, and what is said of it.
private let secrets = textTriples(
    #"""
    --shared-secrets | com.acme = hunter2 | FILE
    --shared-secrets | *=hunter2 | FILE
    --shared-secrets | hunter2 | FILE
    --shared-secrets | a = hunter1¶b = hunter2 | FILE
    --shared-secrets | com.acme/hunter2 = hunter2 | FILE
    --shared-secrets | LONG | FILE
    --database | postgres:/u:hunter2@h | FLAG
    --database | postgres:u:hunter2@h/d | FLAG
    --database | POSTGRESQL:/u:hunter2@h?a=b | FLAG
    --database | u:hunter2@h/d | FLAG
    --database | postgres//u:hunter2@h/d | FLAG
    --database | postgres;//u:hunter2@h/d?sslmode=require | FLAG
    --database | postgres:/u:hunter=2@h/d | FLAG
    DATABASE_URL | postgres://u:hun%zzter2@h/d | invalid percent-encoded token
    DATABASE_URL | postgres://u:hun/ter2@h/d | for connection option "port"
    DATABASE_URL | postgres://u:hunter2 | for connection option "port"
    DATABASE_URL | postgres://u:hunter2@[::1/d | end of string reached when looking for matching
    DATABASE_URL | host=h pw=hunter2 | invalid connection option "pw"
    DATABASE_URL | postgres://h/d?pw=hunter2 | invalid URI query parameter: "pw"
    DATABASE_URL | host=h hunter2 | missing
    DATABASE_URL | host=h user='hunter2 | unterminated quoted string
    DATABASE_URL | postgres://h:99999/d | invalid port number
    DATABASE_URL | postgres://h/d?sslmode=hunter2 | invalid sslmode value
    DATABASE_URL | host=a,b port=1,2,3 | could not match 3 port numbers to 2 hosts
    DATABASE_URL | service=hunter2 | not found
    DATABASE_URL | postgres:/u:hunter2@h/d | neither a URI nor key=value pairs nor a database name
    PGPORT | many | for connection option "port"
    PGSSLMODE | strict | invalid sslmode value
    PGSERVICE | none | not found
    """#)

@Suite("The job's process", .timeLimit(.minutes(10)))
struct ProcessTests {
    @Test(
        "A full device behind stdout is an error of its own",
        arguments: ["--help", "help", "--version", "run --help", "simulate --customers=1"],
        [">/dev/full", ">&-"])
    func full(arguments: String, redirection: String) async throws {
        let words = arguments.split(separator: " ").map(String.init)
        let job = try await RunningJob(words, redirection: redirection).end()
        job.ends(74, "$ Check where it is redirected.")
        #expect(job.lastLine.hasPrefix("reconcile-job: Cannot write to stdout: "))
    }

    private func end(after signals: Int32..., launcher: String = "") async throws -> JobProcess {
        let job = try RunningJob(["simulate", "--customers=1"], launcher: launcher)
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

    @Test(
        "A secret in the wrong place is refused, and no part of it is repeated",
        arguments: secrets)
    func misplaced(name: String, value: String, words: String) throws {
        let long = String(repeating: "hunter2", count: 1_000)
        let value = value.replacing("¶", with: "\n").replacing("LONG", with: long)
        switch words {
        case "FILE":
            let says = "--shared-secrets: | $ of the file that holds the secrets. | ! hunter"
            try JobProcess(["run", name, value]).ends(78, says)
            try JobProcess(["run"], environment: ["RECONCILE_SHARED_SECRETS": value]).ends(78, says)
        case "FLAG":
            try JobProcess(["run", name, value])
                .ends(64, "--database: must not hold a password | ! hunter")
        default:
            // A variable of libpq completes an address that is right.
            let flags = name == "DATABASE_URL" ? [] : ["--database=host=127.0.0.1"]
            let none = name == "PGSERVICE" ? ["PGSERVICEFILE": "/nowhere"] : [:]
            try JobProcess(["run"] + flags, environment: none.merging([name: value]) { $1 }).ends(
                78,
                """
                The connection string cannot be used: | \(words) | ! hun | ! ter2 \
                | $ Correct --database, DATABASE_URL or the PG* variables: in a URI, write % as \
                %25, / as %2F and @ as %40 within a part; a password belongs in ~/.pgpass.
                """)
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
        "Each command ends as an operator, a cron job or a monitor needs it",
        arguments: sessions)
    func night(session: Session) async throws {
        try await NightScene.with { scene in try await scene.steps(session.steps) }
    }
}
