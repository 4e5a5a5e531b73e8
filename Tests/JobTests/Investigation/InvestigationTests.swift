import Testing

@testable import Reconcile
@testable import TestSupport

private let investigation = TextSession.all(
    #"""
    # explain shows a customer's finding, both sides, the rule, the receipt and the evidence
    job explain --user=ann > ann | 0 | 2~ (has 1 finding|findings) about user ann
    head -10 ann | 0 | > rule 3 of 24: the row grants, and what gave the right has expired \#
        | > FINDING expired_still_granted (high, leak, new), since 2026-10-21
    set -e; for id in receipt=ann transaction=1 finding=$(printf %.8s $FINDING); do \#
        job explain --$id > other; cmp ann other; done | 0
    job evidence --finding=$FINDING > answer; sha256sum answer > sum | 0
    grep -F "$(cut -c-64 sum)" reports/latest/expirations.json | 0 | > expired_still_granted
    job evidence --receipt=ann| cmp answer - | 0

    # explain says why there is no finding, and answers an unknown id with the nearest one
    job explain --user=bob --output=json| sed -n '/"rights"/,/^  ]/p'| grep '"outcome"' | 0 \#
        | ~ ^ *"outcome": "consistent",\n$
    job explain --user=dan | 0 | > dan of acme: unusable (jws)
    set -e; for user in ann bob eve cyd; do job explain --user=$user; done | 0 | ! judged nothing
    job explain --user=bobby | 66 | The nearest: bob, cyd
    job explain --receipt=annie | 66 | The nearest: ann, bob
    job explain --transaction=3 | 66 | The nearest: 2, 4
    job explain --finding=00000000 | 66
    job explain --user=ann --run=1999 | 66
    job explain | 64
    job explain --user=ann --receipt=ann | 64
    job evidence --receipt=bob | 66 | --evidence findings
    job evidence --receipt=who | 66
    job evidence | 64
    delete from team.entitlements where who = 'bob'; delete from team.receipts where who = 'bob'
    run --as-of=2026-11-21T02:00:00Z | 0
    job explain --user=bob | 0 | ~ \nWhat follows an earlier run has kept.

    # explain shows a finding's history over several runs, with the operator's decisions
    run; run | 0
    job accept $FINDING --by=ada --why='a tester' | 0
    delete from team.entitlements where who = 'ann'
    run | 0
    job explain --finding=$FINDING | 0 | > FINDING expired_still_granted
    job explain --user=ann | 0 | > : new, run | > : still there, run | > : cleared, run \#
        | ! FINDING expired_still_granted | ~ accepted by ada: a\s+tester

    # explain --live asks Apple, shows what has changed, and writes nothing
    create view team.traces as select md5(string_agg( \#
        table_to_xml(oid, true, false, '')::text, '' order by relname)) from pg_class where \#
        relnamespace = 'reconcile'::regnamespace and relkind = 'r' and relname not like 'rate%'
    create table team.before as table team.traces
    update team.entitlements set active = false where who = 'ann'
    job explain --user=ann --live $APPLE | 0 | ~ finding\s+expired_still_granted,.*→\s+consistent
    update team.entitlements set active = true where who = 'ann'
    job explain --user=ann --live $APPLE --settle=1000d | 0 | ~ finding\s+\w+_granted,.*→\s+settling
    job explain --user=ann --live $APPLE --output=json | 0 | ~ "live" ?: ?\{
    job explain --user=ann --live --production-url=http://[::1]:9 | 0 | > ann of acme: unverified (
    select (now.md5 = before.md5)::text from team.traces as now, team.before | true

    # A read-only role can explain, and Apple's answers need the evidence role
    job migrate --roles=apply | 0
    revoke reconcile_job from $ROLE; grant reconcile_reader to $ROLE
    job explain --user=ann --database=$LOGIN | 0 | > FINDING expired_ | > grant reconcile_evidence
    job evidence --receipt=ann --database=$LOGIN | 77
    job runs --database=$LOGIN && job verify reports/latest --database=$LOGIN | 0
    grant reconcile_evidence to $ROLE
    job evidence --receipt=ann --database=$LOGIN | 0
    job explain --user=ann --database=$LOGIN | 0 | ! grant reconcile_evidence

    # runs lists each run's results, newest first; others name an unknown, ambiguous or pruned run
    run --trial && run --user=ann && job runs > runs | 0
    grep ^20 runs | 0 | ~ ^$RUN3[^\n]+published, partial\n$RUN2[^\n]+trial\n$RUN1[^\n]+\n$
    cat runs | 0 | ~ \n    5 receipts; findings:
    LC_ALL=C.UTF-8 grep -E '.{101}' runs | 1
    job runs --output=json --limit=2 | 0 | ! $RUN1 | ~ "receipts": 1\D \#
        | ~ "run_id": "$RUN3"(?s:.*)"run_id": "$RUN2"[^{]*"findings": \{[^}:]*(:[^}:]*){5}\}
    job diff 1999 $RUN1 | 66 | The nearest: $OLDEST
    job diff 20 $RUN1 | 64
    job diff $RUN1 | 64
    run && job prune --before=2030-01-01T00:00:00Z | 0
    job report $RUN1 --reports=reports | 64 | prune
    job runs | 0 | > pruned | > 5 receipts

    # diff lists added, gone and changed findings, and ends with 1 if there are any
    run | 0
    delete from team.entitlements where who = 'ann'
    update team.entitlements set expires = '2027-01-10T02:00:00Z' where who = 'flo'
    insert into team.entitlements (id, who, product, active, expires, source, at) values \#
        ('e2', 'bob', 'pro.monthly', true, '2027-12-10T02:00:00Z', 'app_store', '2026-10-01')
    run --as-of=2026-11-22T02:00:00Z | 0
    job diff $RUN1 $RUN2 | 0 | =
    job diff $RUN2 $RUN3 | 1 | ~ (^|\n)\+ \w | ! exposure_days \#
        | > stored_expires_at: 2026-12-10T02:00:00Z → 2027-01-10T02:00:00Z \#
        | ~ - [0-9a-f]{32} expired_still_granted ann e-ann\n
    job diff $RUN2 $RUN3 --all --output=json > all | 1
    cat all | 0 | > exposure_days
    cut -sd'"' -f4 all| sort -u| xargs | 0 | = added changed gone

    # --keep removes the folders of older runs, after a run and by prune
    set -e; for id in 20261101T020000Z-000abc 20261102T020000Z-000abc; do \#
        cp -r reports/$RUN1 reports/$id; sed -i s/$RUN1/$id/g reports/$id/manifest.json; done | 0
    run --dry-run --keep=2 | 0 | = removes  $FOLDER/reports/20261101T020000Z-000abc¶\#
    removes  $FOLDER/reports/20261102T020000Z-000abc
    "$0" prune --reports=reports --keep=1 --dry-run | 0 \#
        | = removes  reports/20261101T020000Z-000abc¶removes  reports/20261102T020000Z-000abc
    ls reports | 0 | = 20261101T020000Z-000abc¶20261102T020000Z-000abc¶$RUN1¶latest
    run --keep=3 | 0
    ls reports | 0 | ~ ^20261102T020000Z-000abc\n\S+\n\S+\nlatest\n$ | > $RUN1 | > $RUN2
    "$0" prune --reports=reports --keep=2 | 0 | 2> Removed 1 folders
    ls reports | 0 | ~ ^\S+\n\S+\nlatest\n$ | > $RUN1 | > $RUN2
    "$0" prune --dry-run --user=ann | 64

    # verify accepts an untouched folder and one with RETRACTED.json, and no changed byte
    "$0" verify reports/latest | 0 | = | is complete and ties out
    job verify reports/latest && cp -r reports/latest/. whole | 0
    for file in reports/latest/*; do for at in 0 1 $(perl -e \#
        'srand unpack "%32C*", shift; print "$_ " for map rand, 1..4' $file); do \#
        perl -0777 -pi -e "substr(\$_, $at * (length() - 1), 1) ^= qq(\1)" $file; \#
        "$0" verify reports/latest > said; [ $? = 1 ] && [ -s said ]|| echo $file $at; \#
        cp whole/${file##*/} $file; done; done | 0 | =
    "$0" verify reports/$RUN1 | 0
    job retract $RUN1 --by=ada --why=prices --reports=reports | 0
    "$0" verify reports/$RUN1 | 0 | RETRACTED.json
    "$0" verify /nowhere | 74
    "$0" verify | 64

    # verify names sums that do not tie out although every digest matches
    cp -r reports/latest/. whole && sh forge expirations.csv s/e-ann/e-bob/ | 0
    "$0" verify reports/latest | 1 | > expirations.json, row 1
    sh forge expirations.json s/e-ann/e-bob/ | 0
    "$0" verify reports/latest | 1 | > finding_id
    job verify reports/latest | 1 | > differs from finding | > the one recorded in the database
    cp whole/* reports/latest; for type in csv json; do \#
        sh forge expirations.$type s/expired_still_granted/grant_without_transaction/; done | 0
    "$0" verify reports/latest | 1 | > grant_without_transaction does not belong
    cp whole/* reports/latest; sh forge totals.csv 's/[^\n]*\n\z//' | 0
    "$0" verify reports/latest | 1 | ~ ^totals.json: does not end after .* rows of totals.csv.\n$
    cp whole/* reports/latest; sh forge summary.json 's/"total": \d+/"total": 99/' | 0
    "$0" verify reports/latest | 1 | = summary.json: findings.total is 99, but the rows add up to 7.
    """#, after: "run | 0")

@Suite("A session of an operator", .timeLimit(.minutes(10)))
struct SessionTests {
    @Test(
        "Each command ends and shows what an operator, a cron job or an investigator needs",
        arguments: processSessions + databaseSessions + fileSessions + roleSessions + investigation)
    func night(session: TextSession) async throws {
        try await Session.with { try await $0.steps(session.steps) }
    }

    @Test("inspect ends with 0 for a genuine receipt, in a file or stored for its app, and else 1")
    func inspect() async throws {
        let own = ReceiptAuthority.shared.receipt(PayloadForge().encoded)
        let text = String(decoding: Base64.encode(own), as: UTF8.self)
        try await Session.with { scene in
            try await scene.test.store(receipt: "r-1", of: "ann", data: .text(text))
            for (name, bytes) in [
                ("own", Array(text.utf8)), ("own.cer", ReceiptAuthority.shared.root.der),
                ("cut", Array(own.dropLast())), ("forged", own.dropLast() + [own.last! ^ 1]),
            ] as [(String, [UInt8])] { try scene.folder.write(bytes, to: name) }
            let own = "inspect own --roots=roots --bundle=acme"
            try await scene.steps(
                #"""
                mkdir roots; job inspect own --roots=roots | 78 | $ in PEM or DER.
                printf hello > roots/root.cer | 0
                job inspect own --roots=roots | 78 | root.cer holds no readable certificate.
                cp own.cer roots/root.cer | 0
                job inspect own | 1 | not genuine: step
                job inspect cut --roots=roots | 65
                job inspect forged --roots=roots | 1 | : step signature failed.
                job \#(own) | 0 | The receipt is genuine. | > bundle           passed
                job \#(own).other | 1 | not genuine: step bundle failed. | ! bundle           passed
                job \#(own).other --output json | 1 | ~ "failed_step": ?"bundle" \#
                    | ~ "steps": ?\[([^{\]]*\{[^}]*\}){5}\s*\]
                job \#(own) --output none | 0 | ~ ^$
                job inspect --roots=roots --receipt=r-1 | 0 | The receipt is genuine.
                job inspect --roots=roots --receipt=r-1 --bundle=other | 1 | step bundle failed.
                job inspect --roots=roots --receipt=r-2 | 66 | The nearest: r-1.
                job inspect --roots=roots --receipt=r-1 --receipt=r-2 | 64 | inspect
                job inspect --roots=roots --receipt=r-1 receipt.txt | 64 | inspect
                """#)
        }
    }
}
