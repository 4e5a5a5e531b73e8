-- Removes what runs that have ended know of a user: answers, results, outcomes, findings and the
-- history.
-- $1 text user_id. Locks: the rows. Reads the tables of rows by user whole.
with ended as materialized (
    select run_id from reconcile.run where state <> 'open'
),
outcomes as (
    delete from reconcile.outcome
    where user_id = $1 and run_id in (select run_id from ended)
    returning run_id
),
answers as (
    delete from reconcile.evidence
    where user_id = $1 and run_id in (select run_id from ended)
    returning run_id
),
results as (
    delete from reconcile.user_result
    where user_id = $1 and run_id in (select run_id from ended)
    returning run_id
),
looks as (
    delete from reconcile.second_look
    where user_id = $1 and run_id in (select run_id from ended)
    returning run_id
),
subscriptions as (
    delete from reconcile.sighted_subscription
    where user_id = $1 and run_id in (select run_id from ended)
    returning run_id
),
users as (
    delete from reconcile.undecided_user
    where user_id = $1 and run_id in (select run_id from ended)
    returning run_id
),
cleared as (
    delete from reconcile.cleared_finding
    where user_id = $1
    returning run_id
),
changes as (
    delete from reconcile.finding_change
    where user_key = reconcile.name_key($1)
    returning run_no
),
cancellations as (
    delete from reconcile.cancellation
    where user_key = reconcile.name_key($1)
    returning run_no
),
shared as (
    delete from reconcile.shared_subscription_change
    where user_id = $1
    returning run_no
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
