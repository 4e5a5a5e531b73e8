-- The number of other live workers of a run that got answers within the last seconds.
-- $1 text run_id, $2 int the asking worker's worker_no, $3 double precision seconds. No locks.
-- Reads the workers, a few rows.
select count(*) as workers
from reconcile.worker as w
inner join reconcile.live_worker as l on l.worker_no = w.worker_no
where w.run_id = $1
    and w.worker_no <> $2::int
    and w.answered_at > clock_timestamp() - make_interval(secs => $3::double precision)
