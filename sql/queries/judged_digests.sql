-- The digests of some users' verdict records, from the last published nightly run with a record.
-- $1 text run_id, $2 text[] users. No locks. Index judged_user_user.
select distinct on (kept.user_id collate "C")
    kept.user_id,
    kept.digest
from unnest($2::text[]) as wanted (user_id)
cross join lateral (
    select
        j.user_id,
        j.run_no,
        j.digest
    from reconcile.judged_user as j
    where left(j.user_id, 100) collate "C" = left(wanted.user_id, 100) collate "C"
        and j.user_id = wanted.user_id
    offset 0
) as kept
inner join reconcile.run as r on r.run_no = kept.run_no
where r.makes_history
    and r.state = 'published'
    and r.run_no < (select own.run_no from reconcile.run as own where own.run_id = $1)
order by kept.user_id collate "C", kept.run_no desc
