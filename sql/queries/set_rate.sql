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
