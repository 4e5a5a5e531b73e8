-- The kept answers to some requests; of several for a request, the one about the user's receipt.
-- $1 text run_id, $2 bytea[] request digests, $3 text user. No locks. Index evidence_request.
select distinct on (request_sha256)
    request_sha256,
    receipt_id,
    outcome,
    cause,
    attempts,
    last_status,
    last_http_status,
    detail,
    answered_at,
    server,
    body
from reconcile.evidence
where run_id = $1 and request_sha256 = any($2::bytea[])
order by request_sha256, user_id is distinct from $3, receipt_id collate "C"
