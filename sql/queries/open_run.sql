-- Begins a run and gives up the others that were left open; returns the ids of the latter. A run
-- that is there stays as it is, and a night stays open for a run over some users or a replay.
-- $1 text run_id, $2 timestamptz as_of, $3 int users at most or null, $4 text[] users or null,
-- $5 text[] receipts or null, $6 jsonb settings, $7 int rules_version, $8 text code_version,
-- $9 text the run that is replayed or null.
-- Locks: the rows of open runs. Index run_open.
with abandoned as (
    update reconcile.run
    set state = 'abandoned', finished_at = now()
    where state = 'open'
        and run_id <> $1
        and (not is_everything or ($3::int is null and $4::text[] is null and $9::text is null))
    returning run_id
),
opened as (
    insert into reconcile.run (
        run_id, as_of, is_everything, makes_history, scope, settings, rules_version, code_version,
        replay_of
    )
    values (
        $1,
        $2::timestamptz,
        $3::int is null and $4::text[] is null and $9::text is null,
        $3::int is null and $4::text[] is null and $9::text is null,
        jsonb_strip_nulls(
            jsonb_build_object('limit', $3::int, 'users', $4::text[], 'receipts', $5::text[])
        ),
        $6::jsonb,
        $7::int,
        $8,
        $9
    )
    on conflict (run_id) do nothing
)
select run_id
from abandoned
order by run_id
