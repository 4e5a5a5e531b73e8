-- Removes what runs that have ended know of a user: answers, outcomes, findings and the history. An
-- answer that another user's identical receipt shares goes too.
-- $1 text user_id. Locks: the rows. Reads the tables of outcomes, answers and findings.
with ended as materialized (
    select run_id from reconcile.run where state <> 'open'
),
outcomes as (
    delete from reconcile.outcome
    where user_id = $1 and run_id in (select run_id from ended)
    returning run_id, receipt_id, question, evidence_sha256
),
answers as (
    delete from reconcile.answer as a
    using outcomes as o
    where a.run_id = o.run_id and a.question = o.question
    returning a.run_id
),
-- Of runs whose outcomes do not say what was asked.
older_answers as (
    delete from reconcile.answer as a
    using outcomes as o
    where a.run_id = o.run_id and o.question is null and a.body_sha256 = o.evidence_sha256
    returning a.run_id
),
-- Of receipts that were gone before their user was judged.
unjudged_answers as (
    delete from reconcile.answer as a
    where a.run_id in (select run_id from ended)
        and a.receipt_id in (select receipt_id from outcomes)
        and not exists (
            select
            from reconcile.outcome as o
            where o.run_id = a.run_id
                and md5(o.receipt_id) = md5(a.receipt_id)
                and o.receipt_id = a.receipt_id
        )
    returning a.run_id
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
    (select count(*) from answers)
    + (select count(*) from older_answers)
    + (select count(*) from unjudged_answers) as answers,
    (select count(*) from outcomes) as outcomes,
    (select count(*) from findings) as findings
