-- Runs: their lock, opening, publishing, ending and finding them.

-- name: try_run_lock
-- Tries to take the lock that allows one run over everything at a time.
-- No parameters. Locks: one advisory lock until the session ends.
select pg_try_advisory_lock(7387, 2) as is_acquired

-- name: find_lock_holder
-- The holder of the run lock (process, host, program, since when) and the open run that makes
-- history, since a trial holds no lock. Columns that the role may not see are null.
-- No parameters. No locks.
select
    l.pid,
    coalesce(
        (
            select w.name
            from reconcile.live_worker as alive
            inner join reconcile.worker as w on w.worker_no = alive.worker_no
            where alive.pid = l.pid
            order by w.worker_no desc
            limit 1
        ),
        nullif(a.application_name, '')
    ) as name,
    a.backend_start as since,
    (
        select r.run_id
        from reconcile.run as r
        where r.state = 'open' and r.makes_history
        order by r.run_id desc
        limit 1
    ) as run_id
from pg_catalog.pg_locks as l
left join pg_catalog.pg_stat_activity as a on a.pid = l.pid
where l.locktype = 'advisory'
    and l.database = (select oid from pg_catalog.pg_database where datname = current_database())
    and l.classid = 7387
    and l.objid = 2
    and l.objsubid = 2
    and l.granted
order by l.pid
limit 1

-- name: find_open_run
-- An unfinished run, and whether it may be resumed or joined. To resume: the last one of the same
-- scope, else the last one over everything. To join: one with a live worker, preferably over
-- everything. Replays are excluded.
-- $1 jsonb settings, $2 int users at most or null, $3 text[] users or null, $4 text[] receipts or
-- null, $5 boolean whether to join, $6 boolean whether it is a trial. No locks. Index run_open.
select
    run_id,
    as_of,
    rules_version,
    cut_at is not null as is_cut,
    settings - '{max_unverified,guards,csv_dialect}'::text[]
    = $1::jsonb - '{max_unverified,guards,csv_dialect}'::text[] as has_same_settings,
    settings - '{servers,max_unverified,guards,csv_dialect}'::text[]
    = $1::jsonb - '{servers,max_unverified,guards,csv_dialect}'::text[] as has_same_rules,
    r.scope = wanted.scope and r.is_trial = $6::boolean as has_same_scope,
    has_worker.is_so as has_worker,
    coalesce((settings ->> 'offline')::boolean, false) as is_offline,
    coalesce(settings ->> 'csv_dialect', 'plain') as csv_dialect,
    r.units_from::timestamp at time zone 'UTC' as units_from,
    r.units_to::timestamp at time zone 'UTC' as units_to,
    r.is_trial,
    settings ->> 'max_unverified' as max_unverified,
    settings ->> 'guards' as guards,
    evidence,
    (select b.rate from reconcile.rate_bucket as b where b.server = 'production') as rate,
    (select b.rate from reconcile.rate_bucket as b where b.server = 'sandbox') as sandbox_rate,
    (select b.rate from reconcile.rate_bucket as b where b.server = 'server_api') as api_rate
from reconcile.run as r
cross join (
    select jsonb_strip_nulls(
        jsonb_build_object('limit', $2::int, 'users', $3::text[], 'receipts', $4::text[])
    ) as scope
) as wanted
cross join lateral (
    select exists (
        select
        from reconcile.live_worker as l
        inner join reconcile.worker as w on w.worker_no = l.worker_no
        where w.run_id = r.run_id
    ) as is_so
) as has_worker
where state = 'open' and replay_of is null
order by
    case
        when $5::boolean then has_worker.is_so
        else r.scope = wanted.scope and r.is_trial = $6::boolean
    end desc,
    makes_history desc,
    run_no desc
limit 1

-- name: open_run
-- Opens a run and abandons unfinished ones; returns their ids. A run over everything holds the
-- lock, so it abandons all others over everything. Every run abandons partial runs, replays and
-- trials without a live worker.
-- {columns} and {values} are those of NewRun, with {run_id} and {makes_history}; of its scope
-- {limit} int users at most or null, {users} text[] or null, {receipts} text[] or null.
-- Locks: the rows of open runs. Index run_open.
with abandoned as (
    update reconcile.run as r
    set state = 'abandoned', finished_at = now()
    where r.state = 'open'
        and r.run_id <> {run_id}
        and case
            when r.makes_history then {makes_history}::boolean
            else not exists (
                select
                from reconcile.live_worker as l
                inner join reconcile.worker as w on w.worker_no = l.worker_no
                where w.run_id = r.run_id
            )
        end
    returning r.run_id
),
opened as (
    insert into reconcile.run ({columns}, scope)
    values (
        {values},
        jsonb_strip_nulls(
            jsonb_build_object(
                'limit', {limit}::int, 'users', {users}::text[], 'receipts', {receipts}::text[]
            )
        )
    )
    on conflict (run_id) do nothing
)
select run_id
from abandoned
order by run_id

-- name: find_run
-- An earlier run and its settings, for a replay.
-- $1 text run_id. No locks. Primary key.
select
    state,
    as_of,
    users_per_batch,
    units_from::timestamp at time zone 'UTC' as units_from,
    units_to::timestamp at time zone 'UTC' as units_to,
    evidence,
    settings ->> 'settle_ms' as settle_ms,
    settings ->> 'tolerance_ms' as tolerance_ms,
    settings ->> 'event_horizon_ms' as event_horizon_ms,
    settings ->> 'max_unverified' as max_unverified,
    settings ->> 'source' as source,
    settings ->> 'api_apps' as api_apps
from reconcile.run
where run_id = $1

-- name: find_scope
-- The scope of a run, one row per part: the most users, a user or a receipt.
-- $1 text run_id. No locks. Primary key.
select 'limit' as kind, scope ->> 'limit' as value
from reconcile.run
where run_id = $1 and scope ? 'limit'
union all
select named.kind, value.value
from reconcile.run as r
cross join lateral (values ('users'), ('receipts')) as named (kind)
cross join lateral jsonb_array_elements_text(coalesce(r.scope -> named.kind, '[]')) as value (value)
where r.run_id = $1
order by kind, value

-- name: record_retirement
-- Stores Apple's notice of the end of an API: its name, header lines and dates.
-- $1 text run_id, $2 text api, $3 text deprecation, $4 timestamptz since, $5 text sunset,
-- $6 timestamptz end. Locks: the row. Primary key.
update reconcile.run
set
    retired_api = $2,
    deprecation_header = $3,
    deprecated_at = $4::timestamptz,
    sunset_header = $5,
    ends_at = $6::timestamptz
where run_id = $1

-- name: claim_publication
-- Makes a worker the publisher of a run and returns the fencing number; no row while another live
-- worker is the publisher, or something is left to do, as after a failover that undid commits.
-- $1 text run_id, $2 int worker_no, $3 bigint the fencing number, drawn at random. Locks: the row.
-- Primary key; indexes batch_not_done and second_look_group.
update reconcile.run as r
set publisher_no = $2::int, publication_no = $3::bigint
where r.run_id = $1
    and r.state = 'open'
    and r.cut_at is not null
    and (
        r.publisher_no is null
        or r.publisher_no = $2::int
        or not exists (
            select from reconcile.live_worker as l where l.worker_no = r.publisher_no
        )
    )
    and not exists (
        select from reconcile.batch as b where b.run_id = $1 and b.done_at is null
    )
    and not exists (
        select from reconcile.second_look as s where s.run_id = $1 and s.batch_no is null
    )
returning r.publication_no

-- name: holds_publication
-- Whether a worker still holds the publication of a run, by its fencing number, and the run is
-- compared: a failover may have undone either.
-- $1 text run_id, $2 int worker_no, $3 bigint the number. No locks. Primary key.
select exists (
    select
    from reconcile.run
    where run_id = $1
        and state = 'open'
        and publisher_no = $2::int
        and publication_no = $3::bigint
        and compared_at is not null
) as is_held

-- name: finish_run
-- Ends an open run; returns whether it was still open. No row when it ended in another way, another
-- worker publishes it, or it failed only here while other live workers continue.
-- $1 text run_id, $2 text state, $3 timestamptz finished_at, $4 bigint the fencing number of the
-- publication or null without one, $5 int this worker's worker_no or null, $6 boolean whether it is
-- complete or null without publication, $7 json the published summary or null, $8 text SHA-256 of
-- the manifest in hexadecimal or null. Locks: the row. Primary key.
with this as (
    select run_id, state from reconcile.run where run_id = $1 for update
)
update reconcile.run as r
set
    state = $2,
    finished_at = coalesce(r.finished_at, $3::timestamptz),
    is_complete = coalesce(r.is_complete, $6::boolean),
    summary = coalesce(r.summary, $7::json),
    manifest_sha256 = coalesce(r.manifest_sha256, decode($8, 'hex'))
from this
where r.run_id = this.run_id
    and this.state in ('open', $2)
    and ($4::bigint is null or (r.publication_no = $4::bigint and r.compared_at is not null))
    and (
        $2 <> 'failed'
        or not exists (
            select from reconcile.worker as w
            inner join reconcile.live_worker as l on l.worker_no = w.worker_no
            where w.run_id = $1 and w.worker_no is distinct from $5::int
        )
    )
returning this.state = 'open' as was_open

-- name: run_end
-- How a published or held run ended.
-- $1 text run_id. No locks. Primary key.
select state = 'held' as is_held, coalesce(is_complete, false) as is_complete
from reconcile.run
where run_id = $1 and state in ('published', 'held')

-- name: release_run, long
-- Publishes the newest held run as of now; move_ledger then updates the ledger. Abandons an
-- unfinished run over everything, since its history has changed. Returns the run; no row when it is
-- not held, is a trial, was pruned, or was replaced by a later one.
-- $1 text run_id, $2 text who, $3 text why. Locks: the rows. Index run_open.
with this as (
    update reconcile.run as r
    set state = 'published', released_by = $2, released_why = $3, released_at = now()
    where r.run_id = $1
        and r.state = 'held'
        and r.makes_history
        and r.pruned_at is null
        and not exists (
            select
            from reconcile.run as later
            where later.makes_history
                and later.state in ('published', 'held')
                and later.run_no > r.run_no
        )
    returning r.run_id
),
abandoned as (
    update reconcile.run as r
    set state = 'abandoned', finished_at = now()
    from this
    where r.state = 'open' and r.makes_history
)
select run_id
from this

-- name: retract_run, long
-- Retracts the newest published run and restores the ledger to its state before it. Abandons an
-- unfinished run over everything, since its history has changed. Returns the run; no row when it is
-- not the newest published one, or when the run before it was pruned.
-- $1 text run_id, $2 text who, $3 text why. Locks: the rows. Index run_earlier, ledger_first_run,
-- ledger_undo_run, run_open.
with this as (
    update reconcile.run as r
    set
        state = 'retracted',
        makes_history = false,
        retracted_by = $2,
        retracted_why = $3,
        retracted_at = now()
    where r.run_id = $1
        and r.state = 'published'
        and r.makes_history
        and not exists (
            select
            from reconcile.run as later
            where later.makes_history
                and later.state = 'published'
                and later.run_no > r.run_no
        )
        and not exists (
            select
            from (
                select earlier.pruned_at
                from reconcile.run as earlier
                where earlier.makes_history
                    and earlier.state = 'published'
                    and earlier.run_no < r.run_no
                order by earlier.run_no desc
                limit 1
            ) as e
            where e.pruned_at is not null
        )
    returning r.run_id, r.run_no
),
restored as (
    update reconcile.ledger as l
    set state = u.state, last_run_no = u.last_run_no
    from reconcile.ledger_undo as u
    inner join this on u.run_no = this.run_no
    where l.finding_id = u.finding_id
),
removed as (
    delete from reconcile.ledger as l
    using this
    where l.first_run_no = this.run_no
),
undone as (
    delete from reconcile.ledger_undo as u
    using this
    where u.run_no = this.run_no
),
abandoned as (
    update reconcile.run as r
    set state = 'abandoned', finished_at = now()
    from this
    where r.state = 'open' and r.makes_history
)
select run_id
from this

-- name: list_runs
-- The newest runs, newest first, with numbers from summary.json, and what the views had when a run
-- over everything was cut and closed.
-- $1 int how many. No locks. Index of run_no.
select
    r.run_id,
    r.as_of,
    r.started_at,
    r.finished_at,
    r.state,
    r.is_trial,
    r.is_everything,
    r.replay_of is not null as is_replay,
    r.pruned_at is not null as is_pruned,
    case when r.is_everything then r.planned_users end as planned_users,
    case when r.is_everything then r.planned_receipts end as planned_receipts,
    case when r.is_everything then r.planned_entitlements end as planned_entitlements,
    r.at_close_users,
    r.at_close_receipts,
    r.at_close_entitlements,
    r.summary ->> 'status' as status,
    (r.summary #>> '{controls,receipts,in_scope}')::bigint as receipts,
    coalesce((r.summary #>> '{findings,by_severity,critical}')::bigint, 0) as critical,
    coalesce((r.summary #>> '{findings,by_severity,high}')::bigint, 0) as high,
    coalesce((r.summary #>> '{findings,by_severity,medium}')::bigint, 0) as medium,
    coalesce((r.summary #>> '{findings,by_severity,low}')::bigint, 0) as low,
    coalesce((r.summary #>> '{findings,by_severity,info}')::bigint, 0) as info
from reconcile.run as r
order by r.run_no desc
limit $1

-- name: find_runs
-- The runs whose id begins with $1.
-- $1 text. No locks. Reads the table of runs.
select
    run_id,
    state,
    is_trial,
    retracted_by,
    retracted_why,
    retracted_at,
    released_by,
    released_why,
    released_at
from reconcile.run
where starts_with(run_id, $1)
order by run_id
limit 3

-- name: find_known_runs
-- The runs whose id begins with $1; for null a published run over everything: the newest for 0, the
-- one before it for 1.
-- $1 text or null, $2 bigint. No locks. Reads the table of runs; index run_earlier.
select
    r.run_id,
    r.run_no,
    r.as_of,
    r.state,
    r.is_trial,
    r.makes_history,
    r.replay_of,
    r.rules_version,
    coalesce(r.is_complete, false) as is_complete,
    coalesce(r.summary ->> 'code_version', r.code_version) as code_version,
    r.pruned_at is not null as is_pruned,
    r.summary::text as summary,
    r.summary ->> 'status' as status,
    r.summary ->> 'previous_run' as previous_run,
    encode(r.manifest_sha256, 'hex') as manifest_sha256,
    coalesce((r.settings ->> 'offline')::boolean, false) as is_offline,
    coalesce(r.settings ->> 'csv_dialect', 'plain') as csv_dialect,
    r.units_from::timestamp at time zone 'UTC' as units_from,
    r.units_to::timestamp at time zone 'UTC' as units_to,
    (r.summary #>> '{findings,total}')::bigint as published_findings
from reconcile.run as r
where
    case
        when $1::text is not null then starts_with(r.run_id, $1)
        else r.run_id = (
            select newest.run_id
            from reconcile.run as newest
            where newest.makes_history and newest.state = 'published'
            order by newest.run_no desc
            limit 1 offset $2::bigint
        )
    end
order by r.run_id
limit 3

-- name: published_money
-- The amounts in the summaries of these runs, by bucket and currency.
-- $1 text[] run_ids. No locks. Primary key.
select
    r.run_id,
    bucket.key as bucket,
    amount.key as currency,
    amount.value as amount
from reconcile.run as r
cross join lateral json_each(r.summary -> 'money') as bucket
cross join lateral json_each_text(bucket.value) as amount
where r.run_id = any($1::text[])
order by r.run_no, bucket.key collate "C", amount.key collate "C"

-- name: nearest_runs
-- The runs whose ids are next before and after a text.
-- $1 text. No locks. Reads the table of runs.
select r.run_id
from reconcile.run as r
where r.run_id in (
    select max(b.run_id)
    from reconcile.run as b
    where b.run_id <= $1
    union all
    select min(a.run_id)
    from reconcile.run as a
    where a.run_id > $1
)
order by r.run_id

-- name: standing_runs
-- Which of these runs the database has, neither failed, abandoned nor retracted.
-- $1 text[] run_ids. No locks. Primary key.
select run_id
from reconcile.run
where run_id = any($1::text[]) and state in ('open', 'published', 'held')

-- name: newest_run
-- The newest published run over everything.
-- No parameters. No locks. Index run_earlier.
select run_id
from reconcile.run
where makes_history and state = 'published'
order by run_no desc
limit 1

-- name: newest_nights
-- The newest published run over everything, and the newest held one if it is newer.
-- No parameters. No locks. Reads the table of runs; index run_earlier.
with published as (
    select run_no, run_id, as_of, is_complete, 'published' as state
    from reconcile.run
    where makes_history and state = 'published'
    order by run_no desc
    limit 1
)
select run_id, as_of, is_complete, state
from published
union all
(
    select r.run_id, r.as_of, r.is_complete, r.state
    from reconcile.run as r
    where r.makes_history
        and r.state = 'held'
        and r.run_no > coalesce((select p.run_no from published as p), 0)
    order by r.run_no desc
    limit 1
)
