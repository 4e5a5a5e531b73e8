-- Opens a run and abandons unfinished ones; returns their ids. A run over everything holds the
-- lock, so it abandons all others over everything. Every run abandons partial runs, replays and
-- trials without a live worker.
-- $1 text run_id, $2 timestamptz as_of, $3 int users at most or null, $4 text[] users or null,
-- $5 text[] receipts or null, $6 jsonb settings, $7 int rules_version, $8 text code_version,
-- $9 text the replayed run or null, $10 text which evidence is kept, $11 boolean whether it is a
-- trial.
-- Locks: the rows of open runs. Index run_open.
with this as (
    select $3::int is null and $4::text[] is null and $9::text is null as is_everything
),
abandoned as (
    update reconcile.run as r
    set state = 'abandoned', finished_at = now()
    from this
    where r.state = 'open'
        and r.run_id <> $1
        and case
            when r.makes_history then this.is_everything and not $11::boolean
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
    insert into reconcile.run (
        run_id, as_of, is_everything, makes_history, scope, settings, rules_version, code_version,
        replay_of, evidence, is_trial
    )
    select
        $1,
        $2::timestamptz,
        this.is_everything,
        this.is_everything and not $11::boolean,
        jsonb_strip_nulls(
            jsonb_build_object('limit', $3::int, 'users', $4::text[], 'receipts', $5::text[])
        ),
        $6::jsonb,
        $7::int,
        $8,
        $9,
        $10,
        $11::boolean
    from this
    on conflict (run_id) do nothing
)
select run_id
from abandoned
order by run_id
