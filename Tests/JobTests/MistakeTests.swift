import Foundation
import Testing

@testable import TestSupport

/// Command lines, the status, and the last line's text and end; else 64 and the advice of a wrong
/// command line. FINDING is the id of one, "␣" a blank and "¶" a line break within a word. With a
/// PGSERVICEFILE libpq's message names that file, and without one the service.
private let outside = #"""
     | No command is given.
    rum | `rum` is not a command. Did you mean `run`? The commands are: run, doctor,
    --rate 1 run | The command comes first, then its flags.
    accept --by=eve --why=x | FINDING is missing: the finding_id of a report
    accept 12 --by=eve --why=x | FINDING: "12" is not a finding_id
    accept FINDING --why=x | --by WHO is missing: who decided it?
    accept FINDING --by=eve | --why TEXT is missing: for what reason?
    accept FINDING FINDING | Word 3 of the command line is neither a flag nor
    accept FINDING --until=soon | "soon" is not a day or an instant, for
    accept FINDING --by=a --why=b --until=2020-02-29 | --until: 2020-03-01T00:00:00Z is in the past
    run --rat=1 --sandbox-url=ftp://h | --rat is not a flag of `run`. Did you mean --rate?
    run --rtae=1 | Did you mean --rate?
    run --RATE=1 | Did you mean --rate?
    run --production=1 | Did you mean --production-url?
    run --frobnicate | --frobnicate is not a flag of `run`. Try
    run --x | --x is not a flag of `run`. Try
    migrate --rate=1 | --rate is a flag of `run`, `validate`, `serve`, not of `migrate`.
    migrate --roles=drop | --roles: "drop" is not one of print, apply.
    migrate --roles=print --with-reference-app | --roles cannot be combined with
    run hunter2 | Word 2 of the command line is neither a flag nor
    inspect | `inspect` needs either FILE|- or --receipt ID.
    inspect a --guid=00:11 | --guid: "00:11" is not a device identifier
    run --rate | --rate needs a value: --rate N.
    run --rate --burst=1 | --rate needs a value: --rate N.
    run --dry-run=true | --dry-run takes no value.
    run --reports= | --reports: is empty.
    run --rate=0 --rate=2 | --rate: "0" is not a decimal number above 0
    run --rate=1000000 | above 0 and at most 100000, for example 10 or 12.5.
    RECONCILE_RATE=fast run | RECONCILE_RATE: "fast" is not a decimal number above 0
    run --burst=0.5 | --burst: "0.5" is not a decimal number of at least 1
    run --in-flight=0 | "0" is not a whole number from 1 to 1000.
    run --timeout=5␣minutes | "5 minutes" is not a duration above 0: a number and ms, s, m, h or d
    run --as-of=2026-11-20T02:00:00 | not an RFC 3339 instant, for example 2026-11-20T02:00:00Z
    run --max-unverified=101% | "101%" is not a share such as 1%
    run --fail-on=bad | not one of none, low, medium, high, critical.
    RECONCILE_OUTPUT=xml RECONCILE_PRODUCTION_URL=http://h/ run | RECONCILE_OUTPUT: "xml" is not one
    RECONCILE_ALLOW_WRITABLE_ROLE=1 run | "1" is not `true` or `false`
    run --limit=1 --user=u | --limit cannot be combined with --user
    run --trial --user=ann | --trial judges everything anew.
    generate csh | `generate` needs one of man, bash, zsh and fish.
    simulate --faults=frog | --faults: "frog" is neither a rate such as 5% nor
    simulate --load=host=h␣password=hunter2 | --load: must not hold a password
    run --database=host=h␣password=hunter2 | 64 | --database: must not hold a password | PW
    run --production-url=http://h/hunter2 | 78 | --production-url: the value would send | HTTP
    run --production-url=https://u:hunter2@example.com/ | 78 | --production-url: the value |
    run --production-url=hunter2 | 78 | --production-url: the value |
    run --sandbox-url=ftp://h --database=host=127.0.0.1␣port=1 | 78 | --sandbox-url |
    RECONCILE_OUTPUT=xml RECONCILE_SANDBOX_URL=http://h run --output=none | 78 | unencrypted | HTTP
    run --shared-secrets=/nowhere/s | 78 | cannot read /nowhere/s: No such file | PATH
    run --shared-secrets=/usr | 78 | --shared-secrets: /usr | Give a file.
    run --ca-file=/nowhere/ca | 78 | --ca-file: cannot read /nowhere/ca: No such file | PATH
    run --ca-file=/usr | 78 | --ca-file: /usr is not a file of certificates. | a PEM file.
    runs --database=host=LONG | 69 | the database: could not translate host name | ADDRESS
    runs --database=postgres://127.0.0.1:1/d | 69 | Connection refused | ADDRESS
    PGHOST=/nowhere runs | 69 | /nowhere/.s.PGSQL.5432 | ADDRESS
    RECONCILE_DATABASE=postgres://u:hunter2@[::1/d run | 78 | end of string reached | URI
    simulate --load=host=/nowhere␣dbname=x | 69 | Cannot reach the database | ADDRESS
    simulate --port=1 --sandbox-port=1 --customers=1 | 69 | 127.0.0.1:1: |
    inspect /nowhere/receipt | 74 | /nowhere/receipt | PATH
    inspect - | 65 | It is empty. | Ask the app to send its receipt again.
    inspect - --roots=/nowhere | 78 | --roots: cannot read /nowhere | Give a folder of certificates.
    run --shared-secrets=hunter2 | 78 | --shared-secrets: | FILE
    run --shared-secrets=com.acme/hunter2␣=␣hunter2 | 78 | --shared-secrets: | FILE
    run --shared-secrets=HUGE | 78 | --shared-secrets: | FILE
    RECONCILE_SHARED_SECRETS=a␣=␣hunter1¶b␣=␣hunter2 run | 78 | --shared-secrets: | FILE
    run --database=u:hunter2@h/d?sslmode=require | 64 | --database: must not hold a password | PW
    run --database=POSTGRESQL:/u:hunter=2@h/d | 64 | --database: must not hold a password | PW
    run --database=postgres\;//u:hunter=2@h/d | 64 | --database: must not hold a password | PW
    DATABASE_URL=postgres://u:hunt%zzter2@h/d run | 78 | invalid percent-encoded token | URI
    DATABASE_URL=postgres://u:hunt/ter2@h/d run | 78 | for connection option "port" | URI
    DATABASE_URL=host=h␣pw=hunter2 run | 78 | invalid connection option "pw" | URI
    DATABASE_URL=postgres://h/d?pw=hunter2 run | 78 | invalid URI query parameter: "pw" | URI
    DATABASE_URL=host=h␣hunter2 run | 78 | missing | URI
    DATABASE_URL=host=h␣user=\'hunter2 run | 78 | unterminated quoted string | URI
    DATABASE_URL=postgres://h:99999/d run | 78 | invalid port number | URI
    DATABASE_URL=postgres://h/d?sslmode=hunter2 run | 78 | invalid sslmode value | URI
    DATABASE_URL=host=a,b␣port=1,2,3 run | 78 | could not match 3 port numbers to 2 hosts | URI
    DATABASE_URL=service=hunter2 run | 78 | not found | URI
    DATABASE_URL=postgres:/u:hunter2@h/d run | 78 | neither a URI nor key=value pairs nor | URI
    PGPORT=many run --database=host=127.0.0.1 | 78 | for connection option "port" | URI
    PGSERVICE=none PGSERVICEFILE=/nowhere run --database=host=127.0.0.1 | 78 | not found | URI
    """#.rows

private let writable = """
    grant update on team.entitlements to $ROLE; \
    alter view reconcile.catalog_products rename to hidden
    """

/// A run's flags, the SQL that is executed before it, and its end.
private let inside = #"""
    --database=NOBODY |  | 77 | does not exist | LOGIN
     | alter role $ROLE nologin | 77 | is not permitted to log in | LOGIN
     | drop schema reconcile cascade | 78 | tables are missing or older | Run reconcile-job migrate.
    --reports=/nowhere/a | drop schema reconcile cascade | 78 | migrate |
     | insert into reconcile.migration values (9999, '9_fly', sha256('')) | 78 \#
        | The schema has migration 9_fly | or a later one.
     | revoke usage on schema reconcile from reconcile_job | 77 | permission denied for schema \#
        | ROLES
     | revoke select on reconcile.catalog_products from reconcile_job; drop view \#
    reconcile.catalog_apps | 77 | no privilege to select from reconcile.catalog_products | ROLES
    --reports=/nowhere/a | revoke insert on reconcile.finding from reconcile_job | 73 | /nowhere/a |
     | revoke insert on reconcile.finding from reconcile_job | 77 | into reconcile.finding | ROLES
     | WRITABLE | 77 | $ROLE may update in team.entitlements: it could | OR-ALLOW
    --dry-run | WRITABLE | 77 | $ROLE may update in team.entitlements | OR-ALLOW
    --reports=/nowhere/a | WRITABLE | 73 | /nowhere/a |
    --allow-writable-role | WRITABLE | 65 | reconcile.catalog_products is missing. | VIEWS
    --database=SUPERUSER |  | 77 | The database role postgres is a superuser: it | OR-ALLOW
     | drop view reconcile.stored_entitlements | 65 | stored_entitlements is missing. | VIEWS
    --reports=/nowhere/a | drop view reconcile.stored_entitlements | 73 | /nowhere/a |
     | insert into team.products values ('p', 'x') | 65 | “p” is of the unknown kind “x” | VIEWS
     | alter role $ROLE set default_transaction_read_only = on | 69 | The session is read only \#
        | set default_transaction_read_only = off.
    --user=nobody |  | 64 | There is no user “nobody” in the views. | Check --user and --receipt.
    --reports=/nowhere/a |  | 73 | Cannot write reports at /nowhere/a: No such file \#
        | make the missing folder (mkdir -p).
    --reports=/dev/null |  | 73 | Cannot write reports at /dev/null: Not a directory. \#
        | Give a folder with --reports.
    """#.rows

/// The ends of messages, and what else they contain, by a word for them.
private let endings = Dictionary(
    uniqueKeysWithValues: """
        FILE | of the file that holds the secrets.
        URI | Correct --database, DATABASE_URL or the PG* variables: in a URI, write % as %25, \
        / as %2F and @ as %40 within a part; a password belongs in ~/.pgpass. \
        | The connection string cannot be used:
        PATH | Check the path and its permissions.
        HTTP | plain http is for 127.0.0.0/8, [::1] and localhost only.
        ADDRESS | Check --database or DATABASE_URL, and that PostgreSQL is running.
        LOGIN | Check the role, and its password in ~/.pgpass or in the file that PGPASSFILE names.
        PW | Put it in ~/.pgpass, or set PGPASSWORD or DATABASE_URL. Try `reconcile-job run --help`.
        ROLES | run reconcile-job migrate --roles apply as the owner of schema reconcile.
        OR-ALLOW | or add --allow-writable-role.
        VIEWS | Correct the views in schema reconcile, then run again.
        """.rows.map { ($0[0], $0[1...].joined(separator: " | ")) })

@Suite("An operator's mistake", .timeLimit(.minutes(10)))
struct MistakeTests {
    @Test(
        "A wrong command line is refused with advice, and no secret in it is accepted or repeated",
        arguments: outside)
    func wrong(row: [String]) async throws {
        // A host longer than a DNS label, so no server is asked.
        let words = row[0].replacing(#/^([A-Z_]+=\S* )*/#) { $0.0 + "$0 " }
            .replacing("LONG", with: String(repeating: "h", count: 64))
            .replacing("HUGE", with: String(repeating: "hunter2", count: 1_000))
            .replacing("FINDING", with: "0123456789abcdef0123456789ABCDEF")
            .replacing("␣", with: "\\ ").replacing("¶", with: "'\n'")
        let end = row.count > 2 ? Array(row[1...]) : ["64", row[1], "--help`."]
        try await JobProcess.shell(words).ends(
            try #require(Int32(end[0])),
            "reconcile-job: | \(end[1]) | $ \(endings[end[2]] ?? end[2]) | ! hunt | ! ter2 | ~ ^$")
    }

    @Test(
        "A mistake is reported before any request to Apple; of two, the first that is checked",
        arguments: inside)
    func database(row: [String]) async throws {
        try await Session.empty(others: .reply(AppleAnswer.verified())) { scene in
            try await scene.test.store(receipt: "r", of: "ann")
            let flags = row[0].replacing("NOBODY", with: scene.test.url(user: "nobody"))
                .replacing("SUPERUSER", with: scene.test.url)
            try await scene.steps(
                """
                \(row[1].replacing("WRITABLE", with: writable))
                run \(flags) | \(row[2]) | reconcile-job: | \(row[3]) | ~ ^$ | ! canary \
                    | $ \(endings[row[4]] ?? row[4])
                """)
            #expect(scene.apple.asks.isEmpty && scene.published == [])
        }
    }
}

private let wrongFile = "run --shared-secrets=$FOLDER/s"
private let fullDisk = "Free space or repair the disk."

let fileSessions = TextSession.all(
    #"""
    # A wrong secrets file or reports folder, and a full disk, are reported; reports stay
    echo '* = hunter2' > s; for mode in 640 604 610; do chmod $mode s; \#(wrongFile); \#
        echo $?; done 2> said | 0 | = 77¶77¶77
    sort -u said | 0 | = reconcile-job: --shared-secrets: others can read $FOLDER/s. \#
    Run `chmod 600` on it.
    chmod 600 s; printf 'com.acme = hunter1\nhunter2' > s; \#(wrongFile) | 78 | $FOLDER/s \#
        | Line 2 of the shared secrets is not `bundle_id = secret`. | ! hunter | ~ ^$ \#
        | $ Write one bundle id, or `*`, and its secret without spaces inside.
    printf 'a = 1\na = hunter2' > s; \#(wrongFile) | 78 | $FOLDER/s | ! hunter | ~ ^$ \#
        | Line 2 of the shared secrets names the bundle of line 1
    mkdir -p reports/latest; run | 73 | latest is in the way: this job did not make it, or \#
        | $ Move it away. | ~ ^$
    rmdir reports/latest; run && ls -A reports > before | 0
    ulimit -f 0; run --new | 74 | ! Nothing | failed: File too large. | \#(fullDisk) | ~ ^$
    echo $ASKED | 0 | = 8
    ulimit -f 1; run --new | 74 | Nothing was published. Writing | .csv failed: File too large. \#
        | \#(fullDisk) | ~ ^$
    ls -A reports| diff - before | 0
    echo $ASKED | 0 | = 16
    """#)
