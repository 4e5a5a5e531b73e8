-- Deletes the outcomes and findings of an ended run. Keeps the run, its entries in the ledger, and
-- each finding that is the last report of a finding that is open, that a retraction would reopen,
-- or that a run not pruned yet has cleared; also the sightings of its shared purchases and
-- receipts.
-- $1 text run_id. Locks: the rows. Primary keys and the runs' parts of the other indexes.
with pruned as (
    update reconcile.run
    set pruned_at = now(), evidence = 'none'
    where run_id = $1 and state <> 'open'
    returning run_id, run_no
),
answers as (
    delete from reconcile.evidence
    where run_id in (select run_id from pruned)
    returning run_id
),
outcomes as (
    delete from reconcile.outcome
    where run_no in (select run_no from pruned)
    returning run_no
),
results as (
    delete from reconcile.user_result
    where run_no in (select run_no from pruned)
),
looks as (
    delete from reconcile.second_look
    where run_id in (select run_id from pruned)
),
requests as (
    delete from reconcile.request_count
    where run_id in (select run_id from pruned)
),
-- Findings of the run, and of pruned runs that were kept only because of it.
candidates as (
    select f.run_id, f.finding_id, pruned.run_no
    from pruned
    inner join reconcile.finding as f on f.run_id = pruned.run_id
    union
    select f.run_id, f.finding_id, r.run_no
    from pruned
    inner join reconcile.cleared_finding as c on c.run_id = pruned.run_id
    inner join reconcile.run as r on r.run_id = c.last_run_id and r.pruned_at is not null
    inner join reconcile.finding as f
        on f.run_id = c.last_run_id and f.finding_id = c.finding_id
    union
    select f.run_id, f.finding_id, r.run_no
    from pruned
    inner join reconcile.ledger_undo as u on u.run_no = pruned.run_no
    inner join reconcile.run as r on r.run_no = u.last_run_no and r.pruned_at is not null
    inner join reconcile.finding as f
        on f.run_id = r.run_id and f.finding_id = replace(u.finding_id::text, '-', '')
),
findings as (
    delete from reconcile.finding as f
    using candidates as k, pruned
    where f.run_id = k.run_id
        and f.finding_id = k.finding_id
        and not exists (
            select
            from reconcile.ledger as l
            where l.finding_id = k.finding_id::uuid
                and l.state = 'open'
                and l.last_run_no = k.run_no
        )
        and not exists (
            select
            from reconcile.ledger_undo as u
            where u.finding_id = k.finding_id::uuid
                and u.last_run_no = k.run_no
                and u.run_no <> pruned.run_no
        )
        and not exists (
            select
            from reconcile.cleared_finding as c
            where c.last_run_id = k.run_id
                and c.finding_id = k.finding_id
                and c.run_id <> pruned.run_id
        )
    returning f.run_id
),
cleared as (
    delete from reconcile.cleared_finding
    where run_id in (select run_id from pruned)
),
unjudged as (
    delete from reconcile.unjudged_finding
    where run_id in (select run_id from pruned)
),
events as (
    delete from reconcile.remembered_event
    where run_id in (select run_id from pruned)
),
rest as (
    delete from reconcile.not_reported
    where run_id in (select run_id from pruned)
),
undo as (
    delete from reconcile.ledger_undo
    where run_no in (select run_no from pruned)
),
purchases as (
    delete from reconcile.sighted_purchase as s
    using pruned
    where s.run_no = pruned.run_no
        and not exists (
            select
            from reconcile.ledger as l
            where l.last_run_no = pruned.run_no
                and l.kind = 'shared_original_transaction'
                and l.reference = s.original_transaction_id collate "C"
        )
),
receipts as (
    delete from reconcile.sighted_receipt as s
    using pruned
    where s.run_id = pruned.run_id
        and not exists (
            select
            from reconcile.ledger as l
            where l.last_run_no = pruned.run_no
                and l.kind = 'shared_receipt'
                and l.reference = encode(s.receipt_sha256, 'hex')
        )
),
products as (
    delete from reconcile.sighted_product
    where run_id in (select run_id from pruned)
),
users as (
    delete from reconcile.undecided_user
    where run_id in (select run_id from pruned)
),
-- A record is valid until a later nightly run stores another. Delete it if the next kept nightly
-- run has its own, or if the run of the record does not count.
records as (
    delete from reconcile.judged_user as j
    using reconcile.run as own, pruned
    where own.run_no = j.run_no
        and own.run_no <= pruned.run_no
        and (
            not (own.makes_history and own.state = 'published')
            or exists (
                select
                from reconcile.judged_user as later
                inner join reconcile.run as r on r.run_no = later.run_no
                where left(later.user_id, 100) collate "C" = left(j.user_id, 100) collate "C"
                    and later.user_id = j.user_id
                    and r.makes_history
                    and r.state = 'published'
                    and r.run_no > own.run_no
                    and r.run_no <= (
                        select min(kept.run_no)
                        from reconcile.run as kept
                        where kept.makes_history
                            and kept.state = 'published'
                            and kept.pruned_at is null
                            and kept.run_no > pruned.run_no
                    )
            )
        )
),
batches as (
    delete from reconcile.batch
    where run_id in (select run_id from pruned)
)
select
    (select count(*) from answers) as answers,
    (select count(*) from outcomes) as outcomes,
    (select count(*) from findings) as findings
