-- The job's own tables: what each run judged, user by user, and what it found.
-- Locks: only what it creates. The program holds the migration lock.

do $$
begin
    -- `create schema if not exists` needs the privilege to create schemas even when the schema
    -- exists.
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
    'The applied files of sql/migrations. Written by migrate only.';
comment on column reconcile.migration.sha256 is
    'SHA-256 of the file as it was applied. An applied file must not be edited.';

create table reconcile.privilege (
    relation text not null,
    role_name text not null,
    privileges text[] not null
        check (privileges <@ array['select', 'insert', 'update', 'delete']),
    columns text[],
    primary key (relation, role_name)
);
comment on table reconcile.privilege is
    'The privileges of the roles of sql/roles.sql on the job''s own tables. Each migration lists '
    'those of its tables.';
comment on column reconcile.privilege.columns is
    'The only columns that the role may select. Null: all.';
-- So that the message for a role that lacks privileges can name them.
grant select on reconcile.privilege to public;

create table reconcile.run (
    run_id text primary key,
    run_no bigint generated always as identity unique,
    as_of timestamptz not null,
    state text not null default 'open'
        check (
            state in ('open', 'published', 'held', 'failed', 'abandoned', 'retracted')
        ),
    is_everything boolean not null,
    makes_history boolean not null,
    is_trial boolean not null default false,
    scope jsonb not null,
    settings jsonb not null,
    evidence text not null check (evidence in ('none', 'findings', 'all')),
    rules_version int not null check (rules_version > 0),
    code_version text not null,
    replay_of text,
    started_at timestamptz not null default now(),
    cut_at timestamptz,
    users_per_batch int check (users_per_batch > 0),
    planned_users bigint,
    planned_receipts bigint,
    planned_entitlements bigint,
    at_close_users bigint,
    at_close_receipts bigint,
    at_close_entitlements bigint,
    second_look_at timestamptz,
    compared_at timestamptz,
    publisher_no int,
    publication_no bigint,
    finished_at timestamptz,
    is_complete boolean,
    pruned_at timestamptz,
    retracted_by text,
    retracted_why text,
    retracted_at timestamptz,
    released_by text,
    released_why text,
    released_at timestamptz,
    retired_api text,
    deprecation_header text,
    deprecated_at timestamptz,
    sunset_header text,
    ends_at timestamptz,
    summary json,
    manifest_sha256 bytea check (length(manifest_sha256) = 32),
    check ((state = 'open') = (finished_at is null)),
    check ((state = 'retracted') = (retracted_at is not null))
);
comment on table reconcile.run is
    'One pass over the receipts.';
comment on column reconcile.run.run_no is
    'Numbers runs in the order in which they were opened. The ledger refers to it.';
comment on column reconcile.run.as_of is
    'The instant at which everything in the run is judged.';
comment on column reconcile.run.makes_history is
    'Whether it enters the history when it is published: over everything, no replay and no trial. '
    'False after a retraction.';
comment on column reconcile.run.is_trial is
    'Judged and published to a separate folder. Later runs do not know of it.';
comment on column reconcile.run.state is
    'held: published, but a guard found it implausible. It enters the history only if it is '
    'released.';
comment on column reconcile.run.released_by is
    'The operator who released the held run.';
comment on column reconcile.run.retracted_by is
    'The operator who retracted the published run.';
comment on column reconcile.run.retired_api is
    'The API of Apple''s that deprecation_header and sunset_header are about. Null: none.';
comment on column reconcile.run.deprecation_header is
    'Apple''s notice of the end of retired_api, as received; likewise sunset_header. Null: none.';
comment on column reconcile.run.deprecated_at is
    'The date in deprecation_header; likewise ends_at, the date in sunset_header. Null: none.';
comment on column reconcile.run.scope is
    '{} for everything, else {"limit": n} or {"users": […], "receipts": […]}.';
comment on column reconcile.run.settings is
    'The settings that change the result, without secrets.';
comment on column reconcile.run.evidence is
    'Which of Apple''s answers all workers store; none after pruning.';
comment on column reconcile.run.replay_of is
    'The run whose stored answers are judged again, without requests. A replay does not enter the '
    'history.';
comment on column reconcile.run.cut_at is
    'When its users were cut into batches. Until then the run cannot be resumed.';
comment on column reconcile.run.planned_users is
    'Users with receipts or entitlements in the views when the run was cut; likewise '
    'planned_receipts and planned_entitlements. For a partial run, those in its scope.';
comment on column reconcile.run.at_close_users is
    'The same when the run was closed, over everything; likewise at_close_receipts and '
    'at_close_entitlements. Null for a partial run and a replay, which are not compared with the '
    'views.';
comment on column reconcile.run.second_look_at is
    'When the users put off to the second look were cut into groups, once per run.';
comment on column reconcile.run.compared_at is
    'When its users were compared with each other, once per run.';
comment on column reconcile.run.publisher_no is
    'The worker that closes and publishes the run.';
comment on column reconcile.run.publication_no is
    'The fencing number of the publication: random, drawn by each claim. A worker with another '
    'number publishes nothing. Null: never claimed.';
comment on column reconcile.run.is_complete is
    'For a published or held run: whether it is complete, apart from being held.';
comment on column reconcile.run.summary is
    'The published summary.json. Kept when the run is pruned.';
comment on column reconcile.run.manifest_sha256 is
    'SHA-256 of the published manifest.json.';
comment on column reconcile.run.pruned_at is
    'When its rows in the other tables were removed.';

-- Has only the open runs, a few entries, however many runs there are.
create index run_open on reconcile.run (run_id) where state = 'open';

create table reconcile.run_figure (
    run_id text not null,
    name text not null,
    subject text not null,
    value numeric not null
);
-- By digest: a bundle may be longer than an index entry can be.
create unique index run_figure_subject on reconcile.run_figure (run_id, name, md5(subject));
comment on table reconcile.run_figure is
    'Figures of each run over everything, with which later runs are compared. Kept when the run is '
    'pruned.';
comment on column reconcile.run_figure.subject is
    'A kind, a bundle, or a money bucket with its currency; empty for the whole run.';

create table reconcile.held_reason (
    run_id text not null,
    reason_no int not null,
    guard text not null,
    flag text,
    reason text not null,
    primary key (run_id, reason_no)
);
comment on table reconcile.held_reason is
    'Why a run is implausible. A nightly run with a reason is held; a trial only by coverage.';
comment on column reconcile.held_reason.flag is
    'The flag that sets the threshold. Null for a guard that cannot be turned off.';

create table reconcile.worker (
    worker_no int primary key check (worker_no > 0),
    run_id text not null,
    name text not null,
    flush_no bigint not null,
    started_at timestamptz not null default now(),
    answered_at timestamptz,
    is_leaving boolean not null default false
);
comment on table reconcile.worker is
    'The processes that work on runs. A worker is alive while a session holds the advisory lock '
    '(7388, worker_no).';
comment on column reconcile.worker.worker_no is
    'Drawn at random by the process. A sequence would hand out the numbers again that a failover '
    'undid.';
comment on column reconcile.worker.name is
    'Host and process id.';
comment on column reconcile.worker.flush_no is
    'The random number of the worker''s last flush; before the first, of its registration. The '
    'next flush names it. Another number shows that commits were lost.';
comment on column reconcile.worker.answered_at is
    'When the worker last recorded that it gets answers. Null: never, or its circuit breaker gave '
    'up.';
comment on column reconcile.worker.is_leaving is
    'Whether the worker, which cannot connect to Apple, leaves its users to the others.';

create view reconcile.live_worker as
select
    l.objid::int as worker_no,
    l.pid
from pg_catalog.pg_locks as l
where l.locktype = 'advisory'
    and l.database
    = (select d.oid from pg_catalog.pg_database as d where d.datname = current_database())
    and l.classid = 7388
    and l.objsubid = 2
    and l.granted;
comment on view reconcile.live_worker is
    'The workers that are alive, and the server process of each.';

create table reconcile.batch (
    run_id text not null references reconcile.run,
    batch_no int not null check (batch_no > 0),
    look int not null default 1 check (look between 1 and 3),
    first_user text,
    last_user text,
    users int not null check (users >= 0),
    receipts int not null default 0 check (receipts >= 0),
    entitlements int not null default 0 check (entitlements >= 0),
    worker_no int,
    lease bigint,
    leased_until timestamptz,
    not_before timestamptz,
    attempts int not null default 0 check (attempts >= 0),
    is_deferred boolean not null default false,
    done_at timestamptz,
    primary key (run_id, batch_no),
    check ((first_user is null) = (last_user is null))
);
create index batch_not_done on reconcile.batch (run_id, batch_no) where done_at is null;
comment on table reconcile.batch is
    'A unit of work: users of a run that one worker leases. Holds no results.';
comment on column reconcile.batch.look is
    '1: a range of users in the first pass. 2: a group of users with refused receipts, see '
    'reconcile.second_look. 3: the same group after it was postponed.';
comment on column reconcile.batch.first_user is
    'The range includes both ends, in the collation of the views. Null, like last_user, for the '
    'stored rows without a user and for a group of the second look.';
comment on column reconcile.batch.users is
    'How many the range had when the run was cut; likewise receipts and entitlements, which are 0 '
    'for a group of the second look. A worker that finds fewer reads once more.';
comment on column reconcile.batch.worker_no is
    'The worker that holds the lease, or held it last.';
comment on column reconcile.batch.lease is
    'The fencing number: random, drawn by each lease. A worker with another number writes nothing. '
    'A number that counts leases would be given twice after a failover that undid one. Null: never '
    'leased.';
comment on column reconcile.batch.leased_until is
    'By the server''s clock. From then on any worker may lease the batch.';
comment on column reconcile.batch.not_before is
    'A group that was postponed, or a batch whose views were locked, is not leased before this '
    'instant.';
comment on column reconcile.batch.attempts is
    'Consecutive attempts that ended before a user was recorded. After too many, the rest of its '
    'users are recorded without requests, so that they do not end the run.';
comment on column reconcile.batch.is_deferred is
    'Whether users of it were deferred because their app is stopped. It is leased again when all '
    'other batches are done, and they are recorded then.';
comment on column reconcile.batch.done_at is
    'When the last of its users was recorded or put off to the second look.';

-- The tables below have no foreign keys. Their rows are written in a transaction that locks the
-- batch and checks its lease; a lookup for each of a million rows would prove no more. Nor do the
-- words of the largest have checks: only the job writes them, from its own enumerations, and each
-- COPY would prepare every check again.
create table reconcile.user_result (
    run_no bigint not null,
    batch_no int not null,
    receipts_in_scope int not null,
    receipts_verified int not null,
    receipts_rejected int,
    receipts_unusable int,
    receipts_unverified int,
    entitlements_in_scope int not null,
    entitlements_consistent int not null,
    entitlements_with_finding int,
    entitlements_settling int,
    entitlements_unverified int,
    entitlements_not_judged int,
    oldest_verified_at timestamptz,
    sources_agree int,
    sources_differ int,
    statuses_agree int,
    statuses_differ int,
    user_id text
);
-- Stored in the order of runs, and a worker's batches one after another.
create index user_result_batch on reconcile.user_result using brin (run_no, batch_no)
with (pages_per_range = 16, autosummarize);
comment on table reconcile.user_result is
    'One row per judged user. A user''s receipts and entitlements are judged together, so each '
    'counts in one row.';
comment on column reconcile.user_result.sources_agree is
    'Receipts that verifyReceipt and the App Store Server API verified, and of which they tell the '
    'same.';
comment on column reconcile.user_result.statuses_agree is
    'Subscriptions to which the App Store Server API gives the state that the rules give them.';
comment on column reconcile.user_result.user_id is
    'Null for the stored rows without a user.';
comment on column reconcile.user_result.receipts_rejected is
    'Null for none, as in the other columns that may be null: a null has no bytes.';
comment on column reconcile.user_result.oldest_verified_at is
    'The time of the oldest answer that verified a receipt of the user.';

create table reconcile.second_look (
    run_id text not null,
    put_off_by int not null,
    batch_no int,
    user_id text not null,
    refused_receipts text[] not null,
    refused_by text[] not null
);
create index second_look_put_off on reconcile.second_look (run_id, put_off_by);
create index second_look_group on reconcile.second_look (run_id, batch_no);
comment on table reconcile.second_look is
    'Users put off because Apple refused a receipt (21003, 21010). They are requested again, among '
    'controls, after all other users are recorded.';
comment on column reconcile.second_look.put_off_by is
    'The batch of the user''s first pass.';
comment on column reconcile.second_look.batch_no is
    'The user''s group. Null until the users are cut into groups.';
comment on column reconcile.second_look.refused_receipts is
    'The user''s receipts refused in the first pass; of identical receipts, the first.';
comment on column reconcile.second_look.refused_by is
    'The server that refused each receipt.';

create table reconcile.request_count (
    run_id text not null,
    requests int not null check (requests > 0),
    retries int not null,
    http_status int,
    status bigint,
    server text not null
);
create index request_count_run on reconcile.request_count using brin (run_id)
with (autosummarize);
comment on table reconcile.request_count is
    'The requests to Apple, by server and answer. Each flush of recorded users adds rows: those of '
    'a run are summed.';
comment on column reconcile.request_count.retries is
    'How many were beyond the first request to the server about a receipt.';
comment on column reconcile.request_count.http_status is
    'Null without an HTTP answer.';
comment on column reconcile.request_count.status is
    'Apple''s status in the answer, for example 21007. Null without one.';

create table reconcile.outcome (
    run_no bigint not null,
    receipt_id text,
    user_id text,
    bundle_id text,
    outcome text not null,
    cause text,
    attempts int not null,
    last_status bigint,
    last_http_status int,
    detail text,
    server text,
    source text,
    answered_at timestamptz,
    entitlements_affected int not null
);
-- By digest: an id may be longer than an index entry can be. Two of 64 bits, so that no two ids
-- have the same. Also the order in which controls are drawn.
create unique index outcome_receipt on reconcile.outcome (
    run_no, hashtextextended(receipt_id, 0), hashtextextended(receipt_id, 1)
);
comment on table reconcile.outcome is
    'The result of each stored receipt in scope of a run: one row, one outcome.';
comment on column reconcile.outcome.source is
    'Whose answer was waited for, where no server was asked; else it follows from the server.';
comment on column reconcile.outcome.receipt_id is
    'Null only where the stored row has none.';
comment on column reconcile.outcome.detail is
    'One line for an engineer, without secrets or receipt data.';
comment on column reconcile.outcome.server is
    'The server that gave the last answer. Null without an answer.';
comment on column reconcile.outcome.entitlements_affected is
    'The number of the user''s rows that were counted unverified.';

create table reconcile.evidence (
    run_id text not null,
    request_sha256 bytea not null,
    receipt_id text,
    user_id text,
    outcome text not null,
    cause text,
    attempts int not null,
    last_status bigint,
    last_http_status int,
    detail text,
    answered_at timestamptz,
    server text,
    body_sha256 bytea,
    body bytea
);
create index evidence_request on reconcile.evidence (run_id, request_sha256);
create index evidence_user on reconcile.evidence using hash (user_id);
comment on table reconcile.evidence is
    'Apple''s answers stored by --evidence: enough to judge them again without requests.';
comment on column reconcile.evidence.request_sha256 is
    'SHA-256 of the question: the receipt as sent or the customer''s id, and the bundle.';
comment on column reconcile.evidence.receipt_id is
    'The stored receipt that was sent. Identical receipts of the user share the answer.';
comment on column reconcile.evidence.body is
    'The last answer with HTTP status 200, byte for byte as received. Of signed strings, each on a '
    'line, a header that is that of the line before is left out.';
comment on column reconcile.evidence.server is
    'The server that sent the body.';

-- lz4 compresses as well as pglz in a quarter of the time. Not every server is built with it.
do $$
begin
    execute 'alter table reconcile.evidence alter column body set compression lz4';
exception
    when feature_not_supported or syntax_error then null;
end
$$;

create table reconcile.stopped_app (
    run_id text not null,
    bundle_id text not null,
    kind text not null check (kind in ('written_by_apple', 'others', 'customers')),
    cause text not null,
    asked_at timestamptz not null,
    answered_at timestamptz
);
-- By digest: a bundle may be longer than an index entry can be.
create unique index stopped_app_bundle on reconcile.stopped_app (
    run_id, md5(bundle_id), kind
);
comment on table reconcile.stopped_app is
    'The apps of a run whose requests a worker stopped, because Apple rejects its secret or key.';
comment on column reconcile.stopped_app.kind is
    'What is stopped: requests about the receipts that Apple wrote, about others, which may be '
    'forged, or about customers, to the App Store Server API.';
comment on column reconcile.stopped_app.cause is
    'The cause of its receipts that are not requested, as in reconcile.outcome.';
comment on column reconcile.stopped_app.asked_at is
    'When Apple was last asked about the app; all workers together ask once a minute.';
comment on column reconcile.stopped_app.answered_at is
    'When Apple answered otherwise than before. Null: not since the app was last stopped.';

create table reconcile.rate_bucket (
    server text primary key
    check (server in ('production', 'sandbox', 'server_api', 'server_api_sandbox')),
    rate double precision not null default 10 check (rate > 0),
    burst int not null default 1 check (burst > 0),
    next_at timestamptz not null default now(),
    service_is_last boolean not null default false,
    server_started_at timestamptz
) with (fillfactor = 20);
insert into reconcile.rate_bucket (server)
values ('production'), ('sandbox'), ('server_api'), ('server_api_sandbox');
comment on table reconcile.rate_bucket is
    'The token buckets of requests to Apple, shared by all workers (generic cell rate algorithm).';
comment on column reconcile.rate_bucket.rate is
    'Tokens a second.';
comment on column reconcile.rate_bucket.service_is_last is
    'Whether the token that falls due last belongs to the receipt validation service. Until it is '
    'due, the service has priority.';
comment on column reconcile.rate_bucket.next_at is
    'When the next token falls due, by the server''s clock; at most a burst in the past.';
comment on column reconcile.rate_bucket.server_started_at is
    'When the server had started that gave the last token. Another one may be a standby that was '
    'promoted and does not know the last tokens.';

create table reconcile.finding (
    run_id text not null,
    finding_id text not null,
    kind text not null,
    severity text not null,
    severity_rank smallint not null,
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
    exposure_days int,
    estimated_amount numeric,
    currency text,
    proposed_action text not null,
    explanation text not null,
    evidence_sha256 bytea,
    money_bucket text,
    evidence_signed boolean,
    source text,
    amount_basis text,
    no_amount text,
    is_unclaimed boolean not null default false,
    reference text not null,
    primary key (run_id, finding_id)
);
-- By hash: an id may be longer than an entry of another index can be.
create index finding_user on reconcile.finding using hash (user_id);
comment on table reconcile.finding is
    'The lines of a run''s reports, with the columns of the reports.';
comment on column reconcile.finding.finding_id is
    'The same in every run: a hash of kind, user, entitlement and reference.';
comment on column reconcile.finding.severity_rank is
    '0 is critical. Reports are sorted by it.';
comment on column reconcile.finding.first_seen is
    'The as_of of the first run that reported it.';
comment on column reconcile.finding.no_amount is
    'Why a finding of a kind with an estimate has no amount.';
comment on column reconcile.finding.is_unclaimed is
    'Whether it is an event of a receipt that the service stored without a user. If another user '
    'shows the same event, it is dropped.';
comment on column reconcile.finding.evidence_signed is
    'Whether Apple signed what the answer says. Null: the answer has no latest_receipt.';
comment on column reconcile.finding.source is
    'Whose answer it was read from: verify_receipt or server_api.';
comment on column reconcile.finding.amount_basis is
    'What its amount was calculated from: recorded_price or list_price.';
comment on column reconcile.finding.reference is
    'Distinguishes findings of the same kind, user and entitlement.';

create table reconcile.judged_user (
    digest bigint not null,
    run_no bigint not null,
    user_id text not null,
    transactions jsonb not null,
    record json not null
);
-- The first 100 characters: an id may be longer than an index entry can be. In byte order, which
-- finds the ids nearest to an unknown one.
create index judged_user_user on reconcile.judged_user (left(user_id, 100) collate "C");
-- By hash, so that an id may be of any length. Without a pending list, from which autovacuum would
-- write each entry a second time.
create index judged_user_transactions on reconcile.judged_user
using gin (transactions jsonb_path_ops) with (fastupdate = off);
comment on table reconcile.judged_user is
    'The facts behind the verdicts on a user: both sides of each right. A nightly run writes a row '
    'only if it differs from the user''s last row of a published nightly run.';
comment on column reconcile.judged_user.digest is
    'Digest of the record, to see whether it differs.';
comment on column reconcile.judged_user.transactions is
    'Ids by which the user is found: the transactions that give a right, and the first of their '
    'chains.';
comment on column reconcile.judged_user.record is
    'The receipts, and the rights in the order of judging. Keys, and the values that they have '
    'when they are left out, as in judged_rights; instants in milliseconds since 1970.';

create table reconcile.kept_receipt (
    made_at timestamptz not null,
    user_id text not null,
    bundle_id text not null,
    environment text not null check (environment in ('Production', 'Sandbox')),
    receipt_id text not null,
    run_id text not null,
    receipt bytea not null
);
-- By digest: an id may be longer than an index entry can be.
create unique index kept_receipt_app
on reconcile.kept_receipt (md5(user_id), md5(bundle_id), environment);
comment on table reconcile.kept_receipt is
    'The newest receipt that Apple signed in its answers (latest_receipt), per user, app and '
    'environment. --offline judges by it when it is newer than the stored receipt.';
comment on column reconcile.kept_receipt.receipt_id is
    'The stored receipt that was sent.';
comment on column reconcile.kept_receipt.receipt is
    'PKCS#7 in DER. Confidential: with it anyone can ask Apple about the customer.';

create table reconcile.not_reported (
    run_id text not null,
    user_id text,
    entitlement_id text,
    bucket text not null check (bucket in ('settling', 'unverified', 'not_judged')),
    kind text,
    cause text not null
);
create index not_reported_run on reconcile.not_reported using brin (run_id)
with (autosummarize);
comment on table reconcile.not_reported is
    'The entitlements of a run that are neither consistent nor in a finding: the lines of '
    'not_reported.csv.';
comment on column reconcile.not_reported.kind is
    'The kind of the finding that was not reported.';

insert into reconcile.privilege (relation, role_name, privileges)
select
    listed.relation,
    'reconcile_job',
    array['select', 'insert', 'update', 'delete']
from
    unnest(
        array[
            'run', 'run_figure', 'held_reason', 'worker', 'batch', 'user_result', 'second_look',
            'request_count', 'outcome', 'evidence', 'stopped_app', 'rate_bucket', 'finding',
            'judged_user', 'kept_receipt', 'not_reported'
        ]
    ) as listed (relation);
insert into reconcile.privilege (relation, role_name, privileges)
values
    ('migration', 'reconcile_job', array['select']),
    ('live_worker', 'reconcile_job', array['select']),
    ('migration', 'reconcile_service', array['select']),
    ('live_worker', 'reconcile_service', array['select']),
    ('run', 'reconcile_service', array['select']),
    ('worker', 'reconcile_service', array['select']),
    ('rate_bucket', 'reconcile_service', array['select', 'update']),
    ('evidence', 'reconcile_evidence', array['select']),
    ('migration', 'reconcile_receipts', array['select']),
    ('kept_receipt', 'reconcile_receipts', array['select']);
insert into reconcile.privilege (relation, role_name, privileges)
select
    listed.relation,
    'reconcile_reader',
    array['select']
from
    unnest(
        array[
            'migration', 'live_worker', 'run', 'run_figure', 'held_reason', 'worker', 'batch',
            'user_result', 'request_count', 'outcome', 'finding', 'judged_user', 'not_reported'
        ]
    ) as listed (relation);
-- Without the bodies of Apple's answers.
insert into reconcile.privilege (relation, role_name, privileges, columns)
values (
    'evidence',
    'reconcile_reader',
    array['select'],
    array[
        'run_id', 'request_sha256', 'receipt_id', 'user_id', 'outcome', 'cause', 'attempts',
        'last_status', 'last_http_status', 'detail', 'answered_at', 'server', 'body_sha256'
    ]
);
