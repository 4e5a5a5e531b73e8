-- Draws receipts that a run verified by an answer of one server, as controls of a second look. They
-- are drawn in the order of their digests, starting at a point that the caller derives from the
-- run's id: pseudorandom, and the same for every worker. Leaves out receipts over 4 MiB, and those
-- deleted or moved to another user since.
-- $1 text run_id, $2 text server, $3 bigint the point, $4 int how many,
-- $5 text the run_id whose put-off users are left out, when $1 is an earlier run; else null.
-- No locks. Index outcome_receipt, from the point to the end and then from the beginning;
-- second_look_group; index on the view's user_id.
with drawn as (
    (
        select 1 as part, hashtextextended(o.receipt_id, 0) as draw_key, o.receipt_id, o.user_id
        from reconcile.outcome as o
        where o.run_no = (select run_no from reconcile.run where run_id = $1)
            and hashtextextended(o.receipt_id, 0) >= $3::bigint
            and o.outcome = 'verified'
            and o.server = $2
            and (
                $5::text is null
                or o.user_id not in (
                    select s.user_id from reconcile.second_look as s where s.run_id = $5::text
                )
            )
        order by hashtextextended(o.receipt_id, 0)
        limit $4::int
    )
    union all
    (
        select 2 as part, hashtextextended(o.receipt_id, 0) as draw_key, o.receipt_id, o.user_id
        from reconcile.outcome as o
        where o.run_no = (select run_no from reconcile.run where run_id = $1)
            and hashtextextended(o.receipt_id, 0) < $3::bigint
            and o.outcome = 'verified'
            and o.server = $2
            and (
                $5::text is null
                or o.user_id not in (
                    select s.user_id from reconcile.second_look as s where s.run_id = $5::text
                )
            )
        order by hashtextextended(o.receipt_id, 0)
        limit $4::int
    )
    order by part, draw_key
    limit $4::int
)
select
    s.receipt_id,
    s.user_id,
    s.bundle_id,
    s.stored_at,
    s.receipt_data
from drawn
cross join lateral (
    select r.receipt_id, r.user_id, r.bundle_id, r.stored_at, r.receipt_data
    from reconcile.stored_receipts as r
    where r.user_id = drawn.user_id and r.receipt_id = drawn.receipt_id
    limit 1
) as s
where octet_length(s.receipt_data) <= 4194304
order by drawn.part, drawn.draw_key
