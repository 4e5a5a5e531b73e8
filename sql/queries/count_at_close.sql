-- Counts the users, receipts and entitlements of the views when a run is closed, in one snapshot,
-- as cut_batches did. Does nothing for a run that is already counted, or that another worker
-- publishes.
-- $1 text run_id, $2 bigint the fencing number of the publication, or null. Locks: the run's row.
-- Scans both user_id columns once; an index on them helps.
update reconcile.run
set (at_close_users, at_close_receipts, at_close_entitlements) = (
    select
        count(counted.user_id),
        coalesce(sum(counted.receipts), 0),
        coalesce(sum(counted.entitlements), 0)
    from (
        select
            stored.user_id,
            count(*) filter (where stored.is_receipt) as receipts,
            count(*) filter (where not stored.is_receipt) as entitlements
        from (
            select user_id, true as is_receipt from reconcile.stored_receipts
            union all
            select user_id, false as is_receipt from reconcile.stored_entitlements
        ) as stored
        group by stored.user_id
    ) as counted
)
where run_id = $1
    and at_close_users is null
    and ($2::bigint is null or publication_no = $2::bigint)
