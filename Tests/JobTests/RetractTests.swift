import Testing

@testable import TestSupport

private let flags = "--by=ada --why='prices in cents' --reports=reports"

private let decisions = Session.all(
    #"""
    # A finding is accepted by a prefix of its id, listed, printed, and counted again
    update team.products set billing = '30 days', price = 9.99, currency = 'USD'
    run | 0
    echo "sh summary| grep -o '\"leak\":{\"USD\":\"[0-9.]*'| head -1| cut -c16-" > leak | 0
    sh leak > before; cat before | 0 | ~ ^\d+\.\d\d\n$
    grep refund_recorded reports/latest/refunds.csv| cut -d, -f1 > event | 0
    job accept $(cat event) --by=ada --why=known | 64 | is an event (refund_recorded)
    job accept 0123456789abcdef0123456789abcdef --by=ada --why=known | 64 \#
        | No published run has reported a finding 0123456789abcdef0123456789abcdef
    job accept $FINDING --undo --by=ada --why=known | 64 | is not accepted
    select count(*)::text from reconcile.acceptance | 0
    job accept $(printf %.9s $FINDING) --by=ada --why='a tester' \#
    --until=2030-01-01T00:00:00Z | 0 | $FINDING | of user ann
    job accept --list | 0 | ~ ^$FINDING | > accepted by ada until 2030-01-01T00:00:00Z: a tester
    run | 0
    grep $FINDING reports/latest/expirations.json | 0 | > "lifecycle":"accepted"
    { sh leak; cat before; }| sort -nuC | 0
    grep ada reports/latest/index.html | 0 | > a tester
    sh summary | 0 | ~ "accepted":\[\{[^}]*"by":"ada","why":"atester",\#
    "until":"2030-01-01T00:00:00Z"\}\]
    job accept $FINDING --undo --by=bea --why='no tester' | 0
    job accept --list | 0 | ~ ^$
    run | 0
    sh leak| cmp - before | 0

    # The newest run is removed from history, its folder says so, and latest moves back
    run | 0
    create table team.before as table reconcile.ledger
    create view team.changes as select count(*)::text from ( \#
    (table reconcile.ledger except table team.before) union all \#
    (table team.before except table reconcile.ledger)) as changes
    delete from team.entitlements where who = 'ann'
    run | 0
    select (count <> '0')::text from team.changes | true
    job retract $RUN1 \#(flags) | 64 | the newest is $RUN2
    job retract 20 \#(flags) | 64 | Several runs begin with 20
    job retract 1999 \#(flags) | 64 | There is no run 1999
    job retract $RUN2 \#(flags) --reports=/nowhere/reports | 73 | /nowhere/reports
    readlink reports/latest | 0 | = $RUN2
    select state from reconcile.run | published,published
    job retract $(printf %.22s $RUN2) \#(flags) | 0 | Run $RUN2 is retracted: prices in cents. \#
        | The newest published run is now $RUN1.
    select count from team.changes | 0
    ls reports/$RUN2 | 0 | > RETRACTED.json | > summary.json
    readlink reports/latest | 0 | = $RUN1
    job retract $RUN2 \#(flags) | 0
    run | 0
    sh kinds cleared | 0 | = cleared: expired_still_granted ann

    # All runs can be retracted, also without folders, and an acceptance then be undone
    run | 0
    run | 0
    job accept $FINDING --by=ada --why=known | 0
    mv reports/$RUN1 gone | 0
    job retract $RUN2 \#(flags) | 0 | so there is no latest
    readlink reports/latest | 1
    mv gone reports/$RUN1 | 0
    job retract $RUN1 \#(flags) --reports=. | 73 | is retracted in the database
    select state from reconcile.run | retracted,retracted
    job retract $RUN1 \#(flags) | 0
    readlink reports/latest | 1
    select count(*)::text from reconcile.ledger | 0
    job accept $(printf %.9s $FINDING) --undo --by=bea --why=over \#
        | 0 | No longer accepted: | $FINDING
    job accept --list | 0 | ~ ^$

    # A folder whose run was not recorded is marked by a later run, and not added up twice
    run | 0
    update reconcile.run set state = 'open', finished_at = null, is_complete = null
    run --new | 0 | 2> $RUN1 exists, but its run was not recorded
    cat reports/$RUN1/RETRACTED.json | 0 | > "retracted_by": "reconcile-job"
    readlink reports/latest | 0 | = $RUN2
    """#)

@Suite("An operator's decision", .timeLimit(.minutes(10)))
struct RetractTests {
    @Test("A finding can be accepted, and the newest run retracted", arguments: decisions)
    func decides(session: Session) async throws {
        try await NightScene.with { scene in
            try await scene.steps(session.steps)
            if scene.published.contains("latest") { try scene.latestReports() }
        }
    }
}
