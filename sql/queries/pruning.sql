-- Pruning of old runs, and erasure of users.

-- name: find_prunable_runs
-- Runs that ended before an instant and are not pruned. Excludes the last nightly run, with which
-- the next one is compared, and a newer held one.
-- $1 timestamptz. No locks. Reads the table of runs; index run_earlier.
select run_id
from reconcile.run
where finished_at < $1::timestamptz
    and state <> 'open'
    and pruned_at is null
    and run_no is distinct from (
        select max(run_no)
        from reconcile.run
        where state = 'published' and makes_history
    )
    and run_no is distinct from (
        select max(run_no)
        from reconcile.run
        where state in ('published', 'held') and makes_history
    )
order by run_id

-- name: prune_run, long
-- Deletes the outcomes and findings of an ended run. Keeps the run, its entries in the ledger, and
-- each finding that is the last report of a finding that is open, that a retraction would reopen,
-- or that a run not pruned yet has cleared; also the sightings of its shared purchases and
-- receipts, and the units of days that no later published run counts.
-- $1 text run_id. Locks: the rows. Primary keys and the runs' parts of the other indexes.
with kept_days as (
    select min(d.day)::date as first, max(d.day)::date as last
    from reconcile.run as own
    cross join generate_series(own.units_from, own.units_to, interval '1 day') as d (day)
    where own.run_id = $1
        and own.makes_history
        and own.state = 'published'
        and not exists (
            select
            from reconcile.run as later
            where later.makes_history
                and later.state = 'published'
                and later.run_no > own.run_no
                and d.day::date between later.units_from and later.units_to
        )
),
-- Names no other days, so that a day whose units are deleted is not taken for one without units
-- when a later run is retracted.
pruned as (
    update reconcile.run as r
    set pruned_at = now(), evidence = 'none', units_from = k.first, units_to = k.last
    from kept_days as k
    where r.run_id = $1 and r.state <> 'open'
    returning r.run_id, r.run_no
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
sweeps as (
    delete from reconcile.refund_sweep
    where run_id in (select run_id from pruned)
),
units as (
    delete from reconcile.units as u
    using pruned
    where u.run_id = pruned.run_id
        and not exists (
            select
            from kept_days as k
            where u.day between k.first and k.last
        )
),
unit_sightings as (
    delete from reconcile.unit_sighting
    where run_no in (select run_no from pruned)
),
notices as (
    delete from reconcile.refund_notice
    where run_id in (select run_id from pruned)
),
swept as (
    delete from reconcile.swept_transaction
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

-- name: open_runs
-- The unfinished runs.
-- No parameters. No locks. Index run_open.
select run_id
from reconcile.run
where state = 'open'
order by run_id

-- name: prune_user, long
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
-- A notice names the user by a token, which only its signed text shows.
notices as (
    delete from reconcile.refund_notice as n
    using reconcile.finding as f
    where f.user_id = $1
        and n.transaction_id = f.transaction_id
        and n.bundle_id = f.bundle_id
        and n.run_id in (select run_id from ended)
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

-- name: record_erasure, long
-- Records for each ended run that judged a user how many lines and how much money it had of the
-- user, without the id. Runs whose rows were pruned have none any more.
-- $1 text user_id, $2 text who erases. Locks: the new rows. Scans the tables with rows by user.
with line as (
    select
        r.run_id,
        u.receipts_in_scope as receipts,
        u.entitlements_in_scope as entitlements,
        0 as cleared,
        0 as unverified,
        0 as not_reported
    from reconcile.user_result as u
    inner join reconcile.run as r on r.run_no = u.run_no
    where u.user_id = $1
    union all
    select c.run_id, 0, 0, 1, 0, 0
    from reconcile.cleared_finding as c
    inner join reconcile.finding as f
        on f.run_id = c.last_run_id and f.finding_id = c.finding_id
    where f.user_id = $1
    union all
    select r.run_id, 0, 0, 0, 1, 0
    from reconcile.outcome as o
    inner join reconcile.run as r on r.run_no = o.run_no
    where o.user_id = $1
        and (
            o.outcome = 'unverified'
            or (o.outcome = 'unusable' and o.cause = 'stored_row_invalid')
        )
    union all
    select n.run_id, 0, 0, 0, 0, 1
    from reconcile.not_reported as n
    where n.user_id = $1
    union all
    select f.run_id, 0, 0, 0, 0, 0
    from reconcile.finding as f
    where f.user_id = $1
),
erased as (
    insert into reconcile.erasure (
        run_id, erased_by, receipts, entitlements, cleared, unverified, not_reported
    )
    select
        l.run_id,
        $2,
        sum(l.receipts),
        sum(l.entitlements),
        sum(l.cleared),
        sum(l.unverified),
        sum(l.not_reported)
    from line as l
    inner join reconcile.run as r
        on r.run_id = l.run_id and r.state <> 'open' and r.pruned_at is null
    group by l.run_id
    returning erasure_no, run_id
)
insert into reconcile.erased_finding (
    erasure_no, kind, money_bucket, currency, findings, amount
)
select
    e.erasure_no,
    f.kind,
    f.money_bucket,
    f.currency,
    count(*),
    sum(f.estimated_amount)
from erased as e
inner join reconcile.finding as f on f.run_id = e.run_id and f.user_id = $1
group by e.erasure_no, f.kind, f.money_bucket, f.currency

-- name: unname_user, long
-- Removes the id of a user from rows of ended runs that are not about the user alone: the ends of
-- batches, the scope of a partial run, the accepted findings in a run's summary, and of other users
-- with whom the user shared a purchase or a receipt the sentences and the tokens. The findings of
-- a summary (json) keep their numbers.
-- $1 text user_id, $2 text what sentences and scopes say in its place. Locks: the rows. Scans runs,
-- batches, findings and purchases.
with ended as materialized (
    select run_id, run_no from reconcile.run where state <> 'open'
),
tokens as (
    update reconcile.sighted_purchase
    set account_token = null
    where run_no in (select run_no from ended) and lower(account_token) = lower($1)
),
batches as (
    update reconcile.batch
    set first_user = null, last_user = null
    where run_id in (select run_id from ended) and (first_user = $1 or last_user = $1)
),
sentences as (
    update reconcile.finding
    set explanation = replace(
        explanation, ' being ' || $1 || ': it was paid', ' being ' || $2 || ': it was paid'
    )
    where run_id in (select run_id from ended)
        and kind in ('shared_original_transaction', 'shared_receipt')
        and strpos(explanation, ' being ' || $1 || ': it was paid') > 0
),
-- The token that proves who paid is the user's id. The sentence ends with both.
payers as (
    update reconcile.finding
    set explanation = left(
        explanation, strpos(explanation, ' being ' || $1 || ': Apple''s record of the newest') - 1
    ) || ' being ' || $2 || ': Apple''s record of the newest transaction names the account '
    || $2 || ' as the one that paid, which is user ' || $2 || '.'
    where run_id in (select run_id from ended)
        and kind = 'shared_original_transaction'
        and strpos(explanation, ' being ' || $1 || ': Apple''s record of the newest') > 0
)
update reconcile.run as r
set
    scope = case
        when r.scope -> 'users' is null then r.scope
        else jsonb_build_object(
            'users',
            (
                select coalesce(jsonb_agg(case when u.id = $1 then $2 else u.id end), '[]')
                from jsonb_array_elements_text(r.scope -> 'users') as u (id)
            ),
            'receipts',
            (
                select
                    coalesce(
                        jsonb_agg(
                            case
                                when exists (
                                    select
                                    from reconcile.outcome as o
                                    where o.run_no = r.run_no
                                        and hashtextextended(o.receipt_id, 0)
                                        = hashtextextended(c.id, 0)
                                        and o.receipt_id = c.id
                                        and o.user_id = $1
                                ) then $2
                                else c.id
                            end
                        ),
                        '[]'
                    )
                from jsonb_array_elements_text(coalesce(r.scope -> 'receipts', '[]')) as c (id)
            )
        )
    end,
    summary = case
        when r.summary -> 'accepted' is null then r.summary
        else jsonb_set(
            r.summary::jsonb,
            '{accepted}',
            (
                select coalesce(jsonb_agg(a.value order by a.ordinal), '[]')
                from jsonb_array_elements(r.summary::jsonb -> 'accepted')
                    with ordinality as a (value, ordinal)
                where a.value ->> 'user_id' is distinct from $1
            )
        )::json
    end
where r.run_id in (select run_id from ended)
    and (
        strpos(r.scope::text, to_json($1::text)::text) > 0
        or strpos((r.summary -> 'accepted')::text, to_json($1::text)::text) > 0
        or exists (
            select
            from jsonb_array_elements_text(coalesce(r.scope -> 'receipts', '[]')) as c (id)
            inner join reconcile.outcome as o
                on o.run_no = r.run_no
                    and hashtextextended(o.receipt_id, 0) = hashtextextended(c.id, 0)
                    and o.receipt_id = c.id
                    and o.user_id = $1
        )
    )

-- name: run_erasures
-- Who erased a user of a run and when, and what it had of the user, in the order of erasing.
-- $1 text run_id, $2 bigint only the first so many, or null. No locks. Index erasure_run.
select erased_by, erased_at, receipts, entitlements, cleared, unverified, not_reported
from reconcile.erasure
where run_id = $1
order by erasure_no
limit $2::bigint

-- name: run_erased_findings
-- How many findings of a kind, and how much money, a run had of its erased users.
-- $1 text run_id, $2 bigint only the first so many users, or null. No locks. Indexes erasure_run,
-- erased_finding_erasure.
select
    f.kind,
    f.money_bucket,
    f.currency,
    sum(f.findings) as findings,
    sum(f.amount)::text as amount
from (
    select own.erasure_no
    from reconcile.erasure as own
    where own.run_id = $1
    order by own.erasure_no
    limit $2::bigint
) as e
inner join reconcile.erased_finding as f on f.erasure_no = e.erasure_no
group by f.kind, f.money_bucket, f.currency
order by f.kind, f.money_bucket, f.currency
