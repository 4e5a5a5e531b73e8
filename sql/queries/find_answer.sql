-- A kept answer to a user's receipt in a run, byte for byte.
-- $1 text run_id, $2 text user_id, $3 text receipt_id, $4 text its SHA-256 in hexadecimal or null:
-- identical receipts share an answer. No locks. Index evidence_user.
select e.body
from reconcile.evidence as e
where e.user_id = $2
    and e.run_id = $1
    and e.body is not null
    and (e.receipt_id = $3 or encode(e.body_sha256, 'hex') = $4)
order by e.receipt_id = $3 desc
limit 1
