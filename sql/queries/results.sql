-- What a run records of users, receipts and answers.

-- name: copy_rows
-- Copies rows to a table, in COPY's binary format. {table} and {columns} are those of a CopyTable.
-- No parameters. Locks: the new rows. A unique index rejects a repeated receipt in a run.
copy reconcile.{table} ({columns})
from stdin (format binary)

-- name: copy_findings
-- Copies findings, in COPY's text format. {finding_columns} are those of FindingColumn.
-- No parameters. Locks: the new rows. The primary key rejects a repeated finding in a run.
copy reconcile.finding (run_id, {finding_columns})
from stdin

-- name: recorded_receipts
-- The receipts among $2 that have an outcome in a run.
-- $1 text run_id, $2 text[] receipt ids. No locks. The unique index.
select outcome.receipt_id
from unnest($2::text[]) as known(receipt_id)
inner join reconcile.outcome as outcome
    on outcome.run_no = (select run_no from reconcile.run where run_id = $1)
    and hashtextextended(outcome.receipt_id, 0) = hashtextextended(known.receipt_id, 0)
    and outcome.receipt_id = known.receipt_id
order by outcome.receipt_id

-- name: find_evidence
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

-- name: find_rows_without_user
-- How many rows without a user a batch has recorded.
-- $1 text run_id, $2 int batch_no. No locks. Index user_result_batch.
select receipts_in_scope as receipts, entitlements_in_scope as entitlements
from reconcile.user_result
where run_no = (select run_no from reconcile.run where run_id = $1)
    and batch_no = $2::int

-- name: record_receipts_without_user, long
-- Records the receipts without a user as unusable, without reading them into the program. They are
-- never sent to Apple. Leaves out a receipt that is recorded for a user it had. Returns how many.
-- $1 text run_id, $2 text detail or null; {columns} are those of outcome.
-- Locks: the new rows; waits for others that record the same receipt. Index on the view's user_id,
-- the unique index.
with recorded as (
    insert into reconcile.outcome ({columns})
    select {columns}
    from (
        select
            r.run_no,
            s.receipt_id,
            s.user_id,
            s.bundle_id,
            'unusable' as outcome,
            'stored_row_invalid' as cause,
            0 as attempts,
            null::bigint as last_status,
            null::int as last_http_status,
            $2::text as detail,
            null::text as server,
            null::text as source,
            null::timestamptz as answered_at,
            0 as entitlements_affected
        from reconcile.stored_receipts as s
        inner join reconcile.run as r on r.run_id = $1
        where s.user_id is null
    ) as without_user
    on conflict do nothing
    returning run_no
)

select count(*) as receipts
from recorded

-- name: record_entitlements_without_user, long
-- Records the entitlements without a user as not judged, without reading them into the program.
-- Returns how many.
-- $1 text run_id; {columns} are those of not_reported. Locks: the new rows. Index on the view's
-- user_id.
with recorded as (
    insert into reconcile.not_reported ({columns})
    select {columns}
    from (
        select
            $1::text as run_id,
            user_id,
            entitlement_id,
            'not_judged' as bucket,
            null::text as kind,
            'invalid_row' as cause
        from reconcile.stored_entitlements
        where user_id is null
    ) as without_user
    returning run_id
)

select count(*) as entitlements
from recorded
