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
