-- Marks a batch as judged and keeps what was counted; returns nothing unless it was still to be
-- done, in a run that is still open.
-- $1 text run_id, $2 int batch_no; $3–$7 int receipts (in scope, verified, rejected, unusable,
-- unverified); $8–$13 int entitlements (in scope, consistent, with finding, settling, unverified,
-- not judged); $14–$17 int requests (sent, production, sandbox, retries); $18 text[] and
-- $19 bigint[] statuses and how many of each, $20 and $21 the same of HTTP; $22 timestamptz the
-- earliest answer or null; $23 bigint the lease under
-- which it was judged. Locks: the row. Primary keys.
update reconcile.batch
set
    done_at = now(),
    receipts_in_scope = $3::int,
    receipts_verified = $4::int,
    receipts_rejected = $5::int,
    receipts_unusable = $6::int,
    receipts_unverified = $7::int,
    entitlements_in_scope = $8::int,
    entitlements_consistent = $9::int,
    entitlements_with_finding = $10::int,
    entitlements_settling = $11::int,
    entitlements_unverified = $12::int,
    entitlements_not_judged = $13::int,
    requests_sent = $14::int,
    requests_production = $15::int,
    requests_sandbox = $16::int,
    requests_retries = $17::int,
    requests_by_status = (
        select coalesce(jsonb_object_agg(status, number), '{}')
        from unnest($18::text[], $19::bigint[]) as counted (status, number)
    ),
    requests_by_http_status = (
        select coalesce(jsonb_object_agg(status, number), '{}')
        from unnest($20::text[], $21::bigint[]) as counted (status, number)
    ),
    oldest_verified_at = $22::timestamptz
where run_id = $1
    and batch_no = $2::int
    and done_at is null
    and lease = $23::bigint
    and exists (select from reconcile.run as r where r.run_id = $1 and r.state = 'open')
returning batch_no
