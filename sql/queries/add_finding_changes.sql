-- Keeps what a batch changed in the life of findings.
-- $1 text run_id; an element for each change: $2 text[] users (empty for none), $3 text[] findings,
-- $4 text[] changes, $5 text[] first_seen (empty for none), $6 bigint[] the run that reported a
-- held one last (0 for none). Locks: the new rows.
insert into reconcile.finding_change (
    run_no, user_key, first_seen, last_run_no, finding_id, change, across_users
)
select
    r.run_no,
    reconcile.name_key(c.user_id),
    nullif(c.first_seen, '')::timestamptz,
    nullif(c.last_run_no, 0),
    c.finding_id::uuid,
    c.change,
    false
from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])
    as c (user_id, finding_id, change, first_seen, last_run_no)
cross join reconcile.run as r
where r.run_id = $1
