-- Creates the tables for the CSV files of report folders, in the first schema of search_path.
--
--   psql -v ON_ERROR_STOP=1 -f reports/load.sql
--   psql -c "\copy findings from 'reports/latest/refunds.csv' with (format csv, header)"
--
-- Tables that exist already are left as they are. reports/README.md has the \copy of each file, and
-- says what the columns hold. A table takes the files of many runs; run_id tells them apart.
--
-- - findings takes expirations, refunds, mismatches and receipts. A finding is in one of them only.
-- - A text column keeps the ' that the CSV puts before a text that a spreadsheet would run as a
--   formula (with --csv-dialect excel also before digits): `'540000000000001234`.
-- - timestamptz and date read infinity, -infinity and years after 9999, but no year before Christ:
--   `'-1199-02-15T14:13:21Z`. \copy then fails, names the line and the column, and loads nothing of
--   the file. Change the type of that column, and copy again:
--   alter table findings alter stored_expires_at type text;

create table if not exists findings (
    finding_id text,
    kind text not null,
    severity text not null,
    direction text not null,
    lifecycle text not null,
    first_seen timestamptz not null,
    user_id text,
    entitlement_id text,
    receipt_id text,
    product_stored text,
    product_apple text,
    original_transaction_id text,
    transaction_id text,
    environment text,
    bundle_id text,
    ownership text,
    stored_active boolean,
    stored_expires_at timestamptz,
    apple_state text not null,
    apple_expires_at timestamptz,
    event_at timestamptz,
    reason text,
    exposure_days integer,
    estimated_amount numeric,
    currency text,
    proposed_action text not null,
    explanation text not null,
    evidence_sha256 text,
    run_id text,
    as_of timestamptz not null,
    money_bucket text,
    evidence_signed boolean,
    scope text,
    source text,
    amount_basis text,
    primary key (run_id, finding_id)
);

-- Findings that are no longer true; `run_id` is that of the run that saw it.
create table if not exists cleared (like findings including indexes);

create table if not exists unverified (
    receipt_id text,
    user_id text,
    bundle_id text,
    cause text not null,
    attempts integer not null,
    last_status bigint,
    last_http_status integer,
    detail text,
    entitlements_affected integer not null,
    run_id text not null,
    as_of timestamptz not null,
    scope text,
    source text
);

create table if not exists not_reported (
    user_id text,
    entitlement_id text,
    bucket text not null,
    kind text,
    cause text not null,
    run_id text not null,
    as_of timestamptz not null,
    scope text
);

create table if not exists units (
    day_pacific date not null,
    bundle_id text not null,
    product_id text not null,
    sold bigint not null,
    trials bigint not null,
    refunded bigint not null,
    upgraded bigint not null,
    customers bigint not null,
    run_id text not null,
    as_of timestamptz not null,
    scope text
);

create table if not exists totals (
    event_day date,
    event_day_pacific date,
    bundle_id text,
    product_id text,
    kind text not null,
    direction text not null,
    lifecycle text not null,
    count integer not null,
    amount numeric,
    currency text,
    run_id text not null,
    as_of timestamptz not null,
    scope text,
    amount_basis text,
    age text
);
