-- Apple's newest kept answer to each receipt of a user, from a run and the published runs before
-- it.
-- $1 text user_id, $2 bigint run_no. No locks. Index evidence_user.
select distinct on (e.request_sha256)
    e.run_id,
    e.receipt_id,
    e.answered_at,
    e.server,
    encode(e.body_sha256, 'hex') as body_sha256,
    e.body
from reconcile.evidence as e
inner join reconcile.run as r on r.run_id = e.run_id
where e.user_id = $1
    and e.body is not null
    and (
        r.run_no = $2::bigint
        or (r.run_no < $2::bigint and r.state = 'published' and not r.is_trial)
    )
order by e.request_sha256, r.run_no desc
