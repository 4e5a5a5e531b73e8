import Testing

@testable import TestSupport

private let release = "--reports=reports --by=ada --why='a price list in cents'"

private let sessions = TextSession.all(
    """
    # A dry run says that the run would be held, checks all flags, and writes nothing
    run --guards=on --dry-run | 0
    delete from team.receipts where id > 'u130'
    run --guards=on --dry-run | 4 | Dry run: a run would be held. There are 31 receipts
    update team.entitlements set source = 'ios'
    run --guards=on --dry-run | 4
    run --guards=on --dry-run --reports=/proc/x | 73
    run --dry-run --metrics-file=/nowhere/a.prom | 78 | --metrics-file: cannot write in /nowhere
    run --dry-run --ping-url=nothing | 78
    select count(*)::text from reconcile.run | 3

    # A run is not held when its guard or all guards are turned off, nor when it is a trial
    update team.entitlements set source = 'ios'
    run --guards=on --trial | 0 | > IMPLAUSIBLE:
    run --guards=on --guard-app-store-rows=off --guard-not-judged=100% && run --guards=off | 0

    # A released run counts, and RELEASED.json in its folder says so
    update team.products set price = price * 100
    run --guards=on | 4
    cp reports/$RUN4/manifest.json . | 0
    job release $RUN4 \(release) | 0 | Run $RUN4 is released: a price list in cents.
    job release $RUN4 \(release) | 0 | Run $RUN4 is released: a price list in cents.
    cmp manifest.json reports/$RUN4/manifest.json && readlink reports/latest | 0 | = $RUN4
    cat reports/$RUN4/RELEASED.json | 0 | > "released_by": "ada" | > : "a price list in cents"
    run --guards=on --guard-leap=off | 0
    grep previous_run reports/latest/summary.json | 0 | > "$RUN4"
    job release $RUN4 \(release) | 64
    job release $RUN3 \(release) | 64

    # prune keeps a held run, and the next run replaces it, so that it cannot be released
    update team.entitlements set source = 'ios'
    run --guards=on | 4
    update team.entitlements set source = 'app_store'
    run --guards=on | 0
    grep previous_run reports/latest/summary.json | 0 | > "$RUN3"
    job release $RUN4 \(release) | 64 | replaced by a later run
    update team.entitlements set source = 'ios'
    run --guards=on | 4
    job prune --before=2099-01-01T00:00:00Z | 0
    job release $RUN6 \(release) | 0
    """)

/// What is done to the team's tables after three plausible runs, a flag of the next run, and the
/// guards that hold it. The date in 2099 is in an outdated copy.
private let held = """
    truncate team.receipts, team.entitlements | --guards=on | empty
    truncate team.receipts | --guards=on | empty leap stale
    update team.receipts set data = to_jsonb(data)::text | --guards=on | leap unusable
    update team.entitlements set source = 'ios' | --guards=on | no_app_store_rows not_judged
    update team.products set price = price * 100 | --guards=on | leap
    delete from team.receipts where id > 'u130' | --guards=on | leap shrunk
    update team.receipts set at = '2099-1-1' where id ~ '100' | --as-of=2026-12-01T02:00:00Z | stale
    update team.receipts set id = id | --shared-secrets=$FOLDER/other | no_secret
    """.triples.map { calamity, flag, guards in
        TextSession(
            testDescription: "\(calamity), \(flag): \(guards)",
            steps: """
                create table team.before as select * from reconcile.ledger
                \(calamity)
                umask 077; echo other = x > other | 0
                run --guards=on \(flag) | 4 | > HELD: | Run $RUN4 is held; later runs ignore it: \
                    | reconcile-job release $RUN4 --by WHO --why TEXT
                cp reports/$RUN4/* . && cat index.html | 0 | > This run is held
                readlink reports/latest | 0 | = $RUN3
                select count(*)::text from ((table reconcile.ledger except table team.before) \
                    union all (table team.before except table reconcile.ledger)) as changes | 0
                "$0" verify reports/$RUN4 | 0
                cat summary.json | 0 | > "status": "held" | > "flag": "--guard-
                sed -nE 's/ *"guard": "(.*)",/\\1/p' summary.json| sort -u| xargs | 0 | = \(guards)
                grep '"flag":' summary.json| grep -v '"--guard-' | 1
                grep -c kind cleared.json | 1 | = 0
                """)
    }

@Suite("A held run", .timeLimit(.minutes(10)))
struct GuardTests {
    /// Begins after three runs over seventy customers, of whom every second one has expired and is
    /// still granted.
    @Test(
        "A held run changes neither latest nor the ledger until it is released, if a guard is on",
        arguments: held + sessions)
    func session(session: TextSession) async throws {
        let users = (100..<170).map { "u\($0)" }
        let acts = users.enumerated().reduce(into: [String: LoopbackServer.Act]()) { acts, user in
            let end = user.offset % 2 == 0 ? -20.0 : 20
            let period = AppleAnswer.period("9\(user.offset)", from: end - 30, to: end)
            acts[user.element] = .reply(AppleAnswer.verified([period]))
        }
        try await Session.empty(acts: acts) { scene in
            let rows = users.map { [$0, $0, "acme", TestDatabase.receipt($0), "2026-11-18Z"] }
            try await scene.test.insert(rows, into: "receipts")
            try await scene.steps(
                """
                insert into team.products values \
                ('pro.monthly', 'auto_renewable', 'G', 1, null, '1 month', 9.99, 'USD')
                insert into team.entitlements select concat('e-', id), who, 'pro.monthly', null, \
                true, '2026-12-10T02:00Z', null, null, 'app_store', '2026-10-01Z' from team.receipts
                run --guards=on && run --guards=on && run --guards=on | 0
                \(session.steps)
                """)
        }
    }
}
