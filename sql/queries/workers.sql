-- Workers of a run, and what they share: stopped apps and the rate limit.

-- name: register_worker
-- Begins the chain of a worker's flushes, and registers the worker if its row was lost. Repeated
-- when the worker begins another run, or when its commits were lost.
-- {columns} and {values} are those of RegisteredWorker. Locks: the row. Primary key.
insert into reconcile.worker ({columns})
values ({values})
on conflict (worker_no) do update
set run_id = excluded.run_id, flush_no = excluded.flush_no, is_leaving = false

-- name: lock_worker
-- Registers a worker, unless it is, and takes the lock that marks it as alive. Another session that
-- holds the lock is one that the same worker has lost: it is terminated. The number 0 is in no
-- chain: where a failover undid the row, the next flush finds that commits were lost.
-- {columns} and {values} are those of RegisteredWorker, with {worker_no} int. Locks: one advisory
-- lock until the session ends; the new row.
with restored as (
    insert into reconcile.worker ({columns})
    values ({values})
    on conflict (worker_no) do nothing
)
select
    (
        select count(pg_catalog.pg_terminate_backend(l.pid))
        from reconcile.live_worker as l
        where l.worker_no = {worker_no}::int and l.pid <> pg_catalog.pg_backend_pid()
    ) as ended,
    pg_try_advisory_lock(7388, {worker_no}::int)

-- name: remove_workers
-- Deletes a worker that ends, and workers registered over a day ago that have no session. Newer
-- ones may be reconnecting.
-- $1 int worker_no or null. Locks: the rows.
delete from reconcile.worker as w
where w.worker_no = $1::int
    or (
        w.started_at < now() - interval '1 day'
        and not exists (
            select from reconcile.live_worker as l where l.worker_no = w.worker_no
        )
    )

-- name: record_answers
-- Records that a worker gets answers.
-- $1 int worker_no. Locks: the row. Primary key.
update reconcile.worker set answered_at = clock_timestamp() where worker_no = $1::int

-- name: record_cut_off
-- Records that a worker gets no answers. Must be committed before other workers are counted, so
-- that two workers without answers do not count each other.
-- $1 int worker_no. Locks: the row. Primary key.
update reconcile.worker set answered_at = null where worker_no = $1::int

-- name: lock_leaving
-- Lets the workers of a run that leave do so one after the other.
-- $1 text run_id. Locks: one advisory lock until the end of the transaction.
select pg_advisory_xact_lock(7389, pg_catalog.hashtext($1))

-- name: leave_to_others
-- Marks a worker as leaving, if another live worker of the run stays; returns it, or no row. A
-- lock is held meanwhile (lock_leaving), so that of several workers that leave one stays.
-- $1 text run_id, $2 int worker_no. Locks: the row. Primary key; reads the workers, a few rows.
update reconcile.worker as own
set is_leaving = true
where own.worker_no = $2::int
    and exists (
        select
        from reconcile.worker as w
        inner join reconcile.live_worker as l on l.worker_no = w.worker_no
        where w.run_id = $1
            and w.worker_no <> $2::int
            and not w.is_leaving
    )
returning own.worker_no

-- name: count_answered_workers
-- The number of other live workers of a run that got answers within the last seconds.
-- $1 text run_id, $2 int the asking worker's worker_no, $3 double precision seconds. No locks.
-- Reads the workers, a few rows.
select count(*) as workers
from reconcile.worker as w
inner join reconcile.live_worker as l on l.worker_no = w.worker_no
where w.run_id = $1
    and w.worker_no <> $2::int
    and w.answered_at > clock_timestamp() - make_interval(secs => $3::double precision)

-- name: stopped_apps
-- The apps whose receipts a worker of a run stopped and that Apple did not answer since.
-- $1 text run_id. No locks. Index stopped_app_bundle.
select
    bundle_id,
    written_by_apple,
    cause
from reconcile.stopped_app
where run_id = $1 and answered_at is null
order by bundle_id, written_by_apple

-- name: announce_stopped_app
-- Records that a worker stopped the requests about an app's receipts, one of which Apple was just
-- asked about. Forgets an earlier answer.
-- {columns} and {values} are those of StoppedAppStore. Locks: the row. Index stopped_app_bundle.
insert into reconcile.stopped_app as a ({columns}, asked_at)
values ({values}, clock_timestamp())
on conflict (run_id, md5(bundle_id), written_by_apple) do update
set
    cause = excluded.cause,
    asked_at = case when a.answered_at is null then a.asked_at else excluded.asked_at end,
    answered_at = null

-- name: claim_app_try
-- Claims the next try of a stopped app, a request to Apple. No row when a worker of the run has
-- asked less than a while ago.
-- $1 text run_id, $2 text bundle_id, $3 boolean whether Apple wrote the app's stopped receipts,
-- $4 double precision seconds between two tries. Locks: the row. Index stopped_app_bundle.
update reconcile.stopped_app
set asked_at = clock_timestamp()
where run_id = $1
    and md5(bundle_id) = md5($2)
    and written_by_apple = $3::boolean
    and answered_at is null
    and asked_at <= clock_timestamp() - make_interval(secs => $4::double precision)
returning bundle_id

-- name: record_app_try
-- Records the requests of a try of a stopped app, which belong to no user, and that Apple answered.
-- $1 text run_id, $2 text bundle_id, $3 boolean whether Apple wrote the app's stopped receipts,
-- $4 boolean whether Apple answered otherwise than before; {given}, {columns} and {values} are
-- those of RequestCount. Locks: the app's row. Index stopped_app_bundle.
with answered as (
    update reconcile.stopped_app
    set answered_at = clock_timestamp()
    where run_id = $1
        and md5(bundle_id) = md5($2)
        and written_by_apple = $3::boolean
        and $4::boolean
)
insert into reconcile.request_count (run_id, {columns})
select $1, {values}
from {given}

-- name: set_rate
-- Sets the rate of a bucket. Tokens already taken stay taken.
-- $1 text server, $2 double precision tokens a second, $3 int burst, $4 boolean whether to
-- keep the rate of a run over everything that has a live worker. Locks: the row.
update reconcile.rate_bucket
set rate = $2::double precision, burst = $3::int
where server = $1
    and not (
        $4::boolean
        and exists (
            select
            from reconcile.live_worker as l
            inner join reconcile.worker as w on w.worker_no = l.worker_no
            inner join reconcile.run as r on r.run_id = w.run_id
            where r.state = 'open' and r.makes_history
        )
    )

-- name: take_tokens
-- Takes tokens in advance. Returns their number; in seconds, when the first falls due, counted from
-- the server's clock plus the lead (negative: due already), and the interval between them; and the
-- server's clock in microseconds since 1970.
-- Invariant: a token falls due no earlier than a burst before now and one interval after the
-- previous token, so every w seconds hold at most burst + rate * w tokens. Reserved time is rounded
-- up to a microsecond, the resolution of next_at: rounded down, a rate of 3,000 would be 3,003.
-- At a low rate each worker holds a token, so next_at may be far ahead. More than a minute plus the
-- intervals of 1,000 tokens means that a clock was set back: the bucket is reset to empty.
-- When the server has started since the last token, it may be a standby that was promoted and does
-- not know the last tokens: the next one falls due after a second and an interval, without a burst.
-- By then the tokens that workers still had are used, a quarter of a second's at most each.
-- A worker with a reduced rate pays the longer interval of its share per token. That slows the
-- bucket for all workers and never exceeds the invariant.
-- The receipt validation service has priority: while its tokens lie ahead, other callers get 0
-- tokens and ask again when the last is due, except one time in ten, so that a run always
-- progresses.
-- $1 text server, $2 int tokens, $3 double precision lead in seconds, added to the server's
-- clock, $4 double precision share of the rate, 0.1 to 1, $5 boolean whether the service asks.
-- Locks: the row. Index: its primary key.
with asked as materialized (
    select
        clock_timestamp() + make_interval(secs => $3::double precision) as now,
        least(1, greatest(0.1, $4::double precision)) as share,
        $5::boolean or random() < 0.1 as is_admitted,
        pg_catalog.pg_postmaster_start_time() as server_started_at
),
taken as (
    update reconcile.rate_bucket as b
    set
        next_at = case
            when b.server_started_at <> asked.server_started_at
            then greatest(
                case
                    when extract(epoch from b.next_at - asked.now) > 60 + 1000 / b.rate
                    then asked.now
                    else b.next_at
                end,
                asked.now + make_interval(secs => 1 + 1 / b.rate)
            ) + make_interval(secs => ceil($2::int / (b.rate * asked.share) * 1e6) / 1e6)
            when b.service_is_last
                and not asked.is_admitted
                and extract(epoch from b.next_at - asked.now)
                between 1 / b.rate and 60 + 1000 / b.rate
            then b.next_at
            else greatest(
                case
                    when extract(epoch from b.next_at - asked.now) > 60 + 1000 / b.rate
                    then asked.now + make_interval(secs => 1 / b.rate)
                    else b.next_at
                end,
                asked.now - make_interval(secs => (b.burst - 1) / b.rate)
            ) + make_interval(secs => ceil($2::int / (b.rate * asked.share) * 1e6) / 1e6)
        end,
        service_is_last = $5::boolean
        or (
            b.service_is_last
            and not asked.is_admitted
            and b.server_started_at = asked.server_started_at
            and extract(epoch from b.next_at - asked.now)
            between 1 / b.rate and 60 + 1000 / b.rate
        ),
        server_started_at = asked.server_started_at
    from asked
    where b.server = $1
    returning
        b.next_at,
        asked.now,
        case when b.service_is_last and not $5::boolean then 0 else $2::int end as tokens,
        ceil($2::int / (b.rate * asked.share) * 1e6) / 1e6 as reserved,
        1 / (b.rate * asked.share) as apart
)
select
    tokens,
    extract(epoch from next_at - now)::double precision
    - case when tokens = 0 then 0 else reserved end as first_due,
    apart,
    round(
        (extract(epoch from now) - $3::double precision::numeric) * 1000000
    )::bigint as taken_at
from taken
