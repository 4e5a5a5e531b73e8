-- Batches are leased by workers, what Apple answered is kept as it came, and all workers share one
-- rate.
-- Locks: reconcile.run and reconcile.batch for the instant of their change, and what it creates.

alter table reconcile.run
add column cut_at timestamptz,
add column users_per_batch int check (users_per_batch > 0),
add column replay_of text,
add column evidence text check (evidence in ('none', 'findings', 'all')),
add column is_evidence_settled boolean not null default false,
add column pruned_at timestamptz;
update reconcile.run
set evidence = 'none', is_evidence_settled = true
where state <> 'open';
comment on column reconcile.run.cut_at is
    'When its users were cut into batches. Until then a run cannot be continued.';
comment on column reconcile.run.replay_of is
    'The run whose answers were judged again, without asking. Such a run is no earlier run.';
comment on column reconcile.run.evidence is
    'What is kept of the answers: null while the run goes on, which keeps them all.';
comment on column reconcile.run.is_evidence_settled is
    'Whether the answers that are not kept have been removed.';
comment on column reconcile.run.pruned_at is
    'When its outcomes, findings and answers were removed.';
create index run_evidence_unsettled on reconcile.run (run_id) where not is_evidence_settled;

alter table reconcile.batch
add column worker_no int,
add column lease bigint not null default 0,
add column leased_until timestamptz,
add column attempts int not null default 0 check (attempts >= 0);
create index batch_not_done on reconcile.batch (run_id, batch_no) where done_at is null;
comment on column reconcile.batch.worker_no is
    'Who holds it, or held it last.';
comment on column reconcile.batch.lease is
    'The fencing number: one more at each lease. Nothing is written under an older one.';
comment on column reconcile.batch.leased_until is
    'By the server''s clock. From then on anybody may lease it.';
comment on column reconcile.batch.attempts is
    'How often in a row it was leased without an answer recorded. Too many set it aside: whatever '
    'it is that ends its workers, it does not end the night.';

create table reconcile.worker (
    worker_no int generated always as identity primary key,
    run_id text not null,
    name text not null,
    started_at timestamptz not null default now()
);
comment on table reconcile.worker is
    'The processes at work on runs. One is alive while a session holds the advisory lock '
    '(7388, worker_no).';
comment on column reconcile.worker.name is
    'Host and process id.';

-- No unique index: a connection that dies after COMMIT may write the same answer twice, which
-- costs its bytes and nothing else. Readers take the first.
create table reconcile.answer (
    run_id text not null,
    question bytea not null check (length(question) = 32),
    batch_no int not null,
    lease bigint not null,
    receipt_id text,
    outcome text not null check (outcome in ('verified', 'rejected', 'unverified')),
    cause text,
    attempts int not null,
    last_status bigint,
    last_http_status int,
    detail text,
    answered_at timestamptz,
    environment text check (environment in ('Production', 'Sandbox')),
    requests_production int not null,
    requests_sandbox int not null,
    requests_retries int not null,
    requests_by_status jsonb not null,
    requests_by_http_status jsonb not null,
    body_sha256 bytea,
    body bytea,
    check ((outcome = 'verified') = (cause is null)),
    check (outcome <> 'verified' or (body is not null and environment is not null)),
    check ((body is null) = (body_sha256 is null))
);
create index answer_question on reconcile.answer (run_id, question);
comment on table reconcile.answer is
    'What asking Apple about a receipt came to: enough to judge again without asking again.';
comment on column reconcile.answer.question is
    'SHA-256 of the receipt as it was sent, a line feed and the bundle whose secret went with it.';
comment on column reconcile.answer.receipt_id is
    'The first stored receipt that asked. Identical ones of a batch share its answer.';
comment on column reconcile.answer.body is
    'The last answer with HTTP status 200, byte for byte as received.';
comment on column reconcile.answer.environment is
    'The server that sent the body.';

-- Compresses as well as the old way in a quarter of the time, where the server was built with it.
do $$
begin
    execute 'alter table reconcile.answer alter column body set compression lz4';
exception
    when others then null;
end
$$;

create table reconcile.rate_bucket (
    environment text primary key check (environment in ('Production', 'Sandbox')),
    rate double precision not null default 10 check (rate > 0),
    burst int not null default 1 check (burst > 0),
    next_at timestamptz not null default now()
) with (fillfactor = 20);
insert into reconcile.rate_bucket (environment) values ('Production'), ('Sandbox');
comment on table reconcile.rate_bucket is
    'The tokens that requests to Apple need, over all workers (the generic cell rate algorithm).';
comment on column reconcile.rate_bucket.rate is
    'Tokens a second.';
comment on column reconcile.rate_bucket.next_at is
    'When the next token falls due, by the server''s clock. At most a burst lies in the past.';
