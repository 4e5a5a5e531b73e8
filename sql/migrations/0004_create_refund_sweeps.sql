-- The sweep of refund notices: what Apple sent, or tried to send, to the servers of whole apps. A
-- run's rows are kept until it is pruned.
-- Locks: only what it creates. The program holds the migration lock.

create table reconcile.refund_sweep (
    run_id text not null,
    bundle_id text not null,
    from_at timestamptz not null,
    worker_no bigint,
    is_complete boolean,
    failure text,
    refunds_without_receipt int not null default 0
);
-- By digest: a bundle may be longer than an index entry can be.
create unique index refund_sweep_bundle on reconcile.refund_sweep (run_id, md5(bundle_id));
comment on table reconcile.refund_sweep is
    'The apps whose refund notices a run reads before it judges users.';
comment on column reconcile.refund_sweep.from_at is
    'The start of the window; it ends at as_of.';
comment on column reconcile.refund_sweep.worker_no is
    'The worker that reads it, or read it last.';
comment on column reconcile.refund_sweep.is_complete is
    'Null: not read yet. False: something failed, and the notices are left out.';
comment on column reconcile.refund_sweep.failure is
    'What failed, in words.';
comment on column reconcile.refund_sweep.refunds_without_receipt is
    'Refunds of transactions that no answer of the run shows; set when it is closed.';

create table reconcile.refund_notice (
    run_id text not null,
    bundle_id text not null,
    notice_type text not null,
    transaction_id text not null,
    signed_at timestamptz not null,
    revoked_at timestamptz,
    is_missed boolean not null,
    payload bytea
);
create index refund_notice_run on reconcile.refund_notice using brin (run_id)
with (autosummarize);
comment on table reconcile.refund_notice is
    'The notices of a run''s sweeps.';
comment on column reconcile.refund_notice.is_missed is
    'Whether no attempt to deliver it succeeded.';
comment on column reconcile.refund_notice.payload is
    'The signedPayload of a REFUND as received; null of other types.';

create table reconcile.swept_transaction (
    run_id text not null,
    transaction_id text not null
);
create index swept_transaction_run on reconcile.swept_transaction using brin (run_id)
with (autosummarize);
comment on table reconcile.swept_transaction is
    'Refunded transactions of the sweep that an answer of the run shows, once for each user.';

insert into reconcile.privilege (relation, role_name, privileges)
select
    listed.relation,
    'reconcile_job',
    array['select', 'insert', 'update', 'delete']
from unnest(array['refund_sweep', 'refund_notice', 'swept_transaction']) as listed (relation);
insert into reconcile.privilege (relation, role_name, privileges)
values ('refund_notice', 'reconcile_evidence', array['select']);
