-- The job's own tables: what each nightly run judged, batch by batch, and what it found.
-- Locks: only what it creates. The program holds the migration lock.

do $$
begin
    -- Not `if not exists`: that asks for the right to create schemas even when there is one.
    if not exists (select from pg_catalog.pg_namespace where nspname = 'reconcile') then
        create schema reconcile;
    end if;
end
$$;

create table reconcile.migration (
    version int primary key,
    name text not null unique,
    sha256 bytea not null check (length(sha256) = 32),
    applied_at timestamptz not null default now()
);
comment on table reconcile.migration is
    'The numbered files of sql/migrations that this schema is made of. Written by migrate only.';
comment on column reconcile.migration.sha256 is
    'Of the file as it was applied: an applied file is never edited.';

create table reconcile.run (
    run_id text primary key,
    as_of timestamptz not null,
    state text not null default 'open'
        check (state in ('open', 'published', 'failed', 'abandoned')),
    is_everything boolean not null,
    scope jsonb not null,
    settings jsonb not null,
    rules_version int not null check (rules_version > 0),
    code_version text not null,
    started_at timestamptz not null default now(),
    finished_at timestamptz,
    check ((state = 'open') = (finished_at is null))
);
comment on table reconcile.run is
    'One pass over everything in scope. An earlier run, to the rules, is one that is published '
    'and over everything.';
comment on column reconcile.run.as_of is
    'Everything in the run is judged at this instant, whenever it is looked at.';
comment on column reconcile.run.scope is
    '{} for everything, else {"limit": n} or {"users": […], "receipts": […]}.';
comment on column reconcile.run.settings is
    'The settings that change the outcome. Never a secret.';

-- Finds the open run whatever the number of earlier ones; it holds one entry at most.
create index run_open on reconcile.run (run_id) where state = 'open';

create table reconcile.batch (
    run_id text not null references reconcile.run,
    batch_no int not null check (batch_no > 0),
    first_user text,
    last_user text,
    users int not null check (users >= 0),
    done_at timestamptz,
    receipts_in_scope int not null default 0,
    receipts_verified int not null default 0,
    receipts_rejected int not null default 0,
    receipts_unusable int not null default 0,
    receipts_unverified int not null default 0,
    entitlements_in_scope int not null default 0,
    entitlements_consistent int not null default 0,
    entitlements_with_finding int not null default 0,
    entitlements_settling int not null default 0,
    entitlements_unverified int not null default 0,
    entitlements_not_judged int not null default 0,
    requests_sent int not null default 0,
    requests_production int not null default 0,
    requests_sandbox int not null default 0,
    requests_retries int not null default 0,
    requests_by_status jsonb not null default '{}',
    requests_by_http_status jsonb not null default '{}',
    oldest_verified_at timestamptz,
    primary key (run_id, batch_no),
    check ((first_user is null) = (last_user is null))
);
comment on table reconcile.batch is
    'A range of users of a run, with what was counted when it was judged. All of a user''s '
    'receipts and entitlements are judged together.';
comment on column reconcile.batch.first_user is
    'Both ends are included, in the order of the views'' own collation. Null, with last_user: the '
    'rows that name no user.';
comment on column reconcile.batch.done_at is
    'Set in the transaction that writes the batch''s outcomes and findings.';
comment on column reconcile.batch.requests_by_status is
    'Number of answers by Apple''s status, for example {"0": 480, "21007": 12}.';
comment on column reconcile.batch.oldest_verified_at is
    'The earliest answer that the batch was judged by.';

-- No foreign key from the two tables below: their rows are written in the transaction that
-- completes a batch, which has one, and a look-up for each of a million rows would prove no more.
create table reconcile.outcome (
    run_id text not null,
    receipt_id text,
    user_id text,
    bundle_id text,
    outcome text not null check (outcome in ('verified', 'rejected', 'unusable', 'unverified')),
    cause text,
    attempts int not null,
    last_status bigint,
    last_http_status int,
    detail text,
    evidence_sha256 bytea,
    answered_at timestamptz,
    entitlements_affected int not null,
    check ((outcome = 'verified') = (cause is null))
);
-- By digest: an id may be longer than an index entry can be.
create unique index outcome_receipt on reconcile.outcome (run_id, md5(receipt_id));
comment on table reconcile.outcome is
    'What a run learned of each stored receipt in scope: one row, one outcome.';
comment on column reconcile.outcome.receipt_id is
    'Null only where the stored row has none.';
comment on column reconcile.outcome.detail is
    'One line for an engineer, without secrets or receipt data.';
comment on column reconcile.outcome.evidence_sha256 is
    'Of the body of the last answer, as received.';
comment on column reconcile.outcome.entitlements_affected is
    'How many rows of the user were counted unverified.';

create table reconcile.finding (
    run_id text not null,
    finding_id text not null check (finding_id ~ '^[0-9a-f]{32}$'),
    kind text not null,
    severity text not null check (severity in ('critical', 'high', 'medium', 'low', 'info')),
    severity_rank smallint not null check (severity_rank between 0 and 4),
    direction text not null check (direction in ('leak', 'owed', 'none')),
    lifecycle text not null check (lifecycle in ('new', 'persisting', 'reopened', 'accepted')),
    first_seen timestamptz not null,
    user_id text,
    entitlement_id text,
    receipt_id text,
    product_stored text,
    product_apple text,
    original_transaction_id text,
    transaction_id text,
    environment text check (environment in ('Production', 'Sandbox')),
    bundle_id text,
    ownership text check (ownership in ('PURCHASED', 'FAMILY_SHARED')),
    stored_active boolean,
    stored_expires_at timestamptz,
    apple_state text not null,
    apple_expires_at timestamptz,
    event_at timestamptz,
    reason text,
    exposure_days int,
    estimated_amount numeric,
    currency text,
    proposed_action text not null,
    explanation text not null,
    evidence_sha256 bytea,
    reference text not null,
    primary key (run_id, finding_id)
);
comment on table reconcile.finding is
    'The lines of a run''s reports, column by column as the reports print them.';
comment on column reconcile.finding.finding_id is
    'Stable over runs: a hash of kind, user, entitlement and reference.';
comment on column reconcile.finding.severity_rank is
    '0 is critical; reports are sorted by it.';
comment on column reconcile.finding.first_seen is
    'The as_of of the first run that reported it.';

create function reconcile.milliseconds(instant timestamptz) returns bigint
language sql immutable parallel safe
as $$
select case
    when instant = 'infinity' then 9223372036854775807
    when instant = '-infinity' then -9223372036854775808
    else floor(
        -- Microseconds first: before PostgreSQL 14 the epoch is a double.
        round((extract(epoch from instant at time zone 'UTC') * 1000000)::numeric) / 1000
    )::bigint
end
$$;
comment on function reconcile.milliseconds is
    'Whole milliseconds since 1970-01-01T00:00:00Z, rounded down; the greatest and the least '
    'bigint for infinity and -infinity. Null for null.';
