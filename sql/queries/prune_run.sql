-- Removes what a run that has ended learned and found; the run itself is remembered.
-- $1 text run_id. Locks: the rows. Primary keys and the runs' parts of the other indexes.
with pruned as (
    update reconcile.run
    set pruned_at = now(), evidence = 'none'
    where run_id = $1 and state <> 'open'
    returning run_id
),
answers as (
    delete from reconcile.evidence
    where run_id in (select run_id from pruned)
    returning run_id
),
outcomes as (
    delete from reconcile.outcome
    where run_id in (select run_id from pruned)
    returning run_id
),
results as (
    delete from reconcile.user_result
    where run_id in (select run_id from pruned)
    returning run_id
),
looks as (
    delete from reconcile.second_look
    where run_id in (select run_id from pruned)
    returning run_id
),
findings as (
    delete from reconcile.finding
    where run_id in (select run_id from pruned)
    returning run_id
),
cleared as (
    delete from reconcile.cleared_finding
    where run_id in (select run_id from pruned)
    returning run_id
),
subscriptions as (
    delete from reconcile.sighted_subscription
    where run_id in (select run_id from pruned)
    returning run_id
),
products as (
    delete from reconcile.sighted_product
    where run_id in (select run_id from pruned)
    returning run_id
),
users as (
    delete from reconcile.undecided_user
    where run_id in (select run_id from pruned)
    returning run_id
),
batches as (
    delete from reconcile.batch
    where run_id in (select run_id from pruned)
    returning run_id
)
select
    (select count(*) from answers) as answers,
    (select count(*) from outcomes) as outcomes,
    (select count(*) from findings) as findings
