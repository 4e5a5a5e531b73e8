-- Deletes what ended runs have stored about a user: answers, results, outcomes, findings and
-- history.
-- $1 text user_id. Locks: the rows. Scans the tables with rows by user.
with ended as materialized (
    select run_id, run_no from reconcile.run where state <> 'open'
),
outcomes as (
    delete from reconcile.outcome
    where user_id = $1 and run_no in (select run_no from ended)
    returning run_no
),
answers as (
    delete from reconcile.evidence
    where user_id = $1 and run_id in (select run_id from ended)
    returning run_id
),
results as (
    delete from reconcile.user_result
    where user_id = $1 and run_no in (select run_no from ended)
    returning run_no
),
looks as (
    delete from reconcile.second_look
    where user_id = $1 and run_id in (select run_id from ended)
    returning run_id
),
purchases as (
    delete from reconcile.sighted_purchase
    where user_id = $1 and run_no in (select run_no from ended)
),
receipts as (
    delete from reconcile.sighted_receipt
    where user_id = $1 and run_id in (select run_id from ended)
),
users as (
    delete from reconcile.undecided_user
    where user_id = $1 and run_id in (select run_id from ended)
),
rest as (
    delete from reconcile.not_reported
    where user_id = $1 and run_id in (select run_id from ended)
),
records as (
    delete from reconcile.judged_user
    where user_id = $1 and run_no in (select run_no from ended)
),
kept as (
    delete from reconcile.kept_receipt
    where user_id = $1
),
events as (
    delete from reconcile.remembered_event
    where user_id = $1 and run_id in (select run_id from ended)
),
known as (
    delete from reconcile.ledger
    where user_id = $1
    returning finding_id
),
undo as (
    delete from reconcile.ledger_undo
    where finding_id in (select finding_id from known)
),
cleared as (
    delete from reconcile.cleared_finding
    where finding_id in (select replace(finding_id::text, '-', '') from known)
),
held as (
    delete from reconcile.unjudged_finding
    where finding_id in (select replace(finding_id::text, '-', '') from known)
),
acceptances as (
    delete from reconcile.acceptance
    where user_id = $1
),
findings as (
    delete from reconcile.finding
    where user_id = $1 and run_id in (select run_id from ended)
    returning run_id
)
select
    (select count(*) from answers) as answers,
    (select count(*) from outcomes) as outcomes,
    (select count(*) from findings) as findings
