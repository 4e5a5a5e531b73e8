-- The transactions that earlier runs saw cancelled of some users, as they were last seen of that
-- user.
-- $1 text the run's id, $2 bigint[] the users' keys (name_key). Returns the key, transaction, time
-- and two flags. No locks. Index cancellation_user. `is true` as in past_findings.
select distinct on (c.user_key, c.transaction_id collate "C")
    c.user_key,
    c.transaction_id,
    c.cancelled_at,
    c.is_reported,
    c.is_reversed
from reconcile.cancellation as c
where c.user_key = any($2::bigint[])
    and c.run_no < (select t.run_no from reconcile.run as t where t.run_id = $1)
    and exists (
        select from reconcile.run as r where r.run_no = c.run_no and r.state = 'published'
    ) is true
order by c.user_key, c.transaction_id collate "C", c.run_no desc
