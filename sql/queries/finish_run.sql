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
