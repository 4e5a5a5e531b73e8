-- The ledger has one row per finding that a published run over everything has reported; the
-- transaction that publishes a run updates it. Also the operators' acceptances.
-- Locks: only what it creates. The program holds the migration lock.

create index run_earlier on reconcile.run (run_no) where makes_history and state = 'published';

create table reconcile.ledger (
    first_run_no bigint not null,
    last_run_no bigint,
    first_seen timestamptz not null,
    event_at timestamptz,
    finding_id uuid primary key,
    state text not null check (state in ('open', 'closed', 'event', 'remembered')),
    kind text not null,
    user_id text,
    entitlement_id text,
    receipt_id text,
    reference text not null
) with (fillfactor = 90);
-- By hash: an id may be longer than an entry of another index can be. Closed findings are looked up
-- by id only, so that years of them do not make this index larger.
create index ledger_user on reconcile.ledger using hash (user_id) where state <> 'closed';
create index ledger_open on reconcile.ledger (finding_id) where state = 'open';
create index ledger_refund on reconcile.ledger using hash (reference)
where kind in ('refund_recorded', 'family_revocation_recorded', 'refund_without_receipt');
create index ledger_first_run on reconcile.ledger (first_run_no);
comment on table reconcile.ledger is
    'Every finding that a published run over everything has reported. An open finding was reported '
    'by the last such run, or could not be judged since it was last reported.';
comment on column reconcile.ledger.first_run_no is
    'The first run that reported it.';
comment on column reconcile.ledger.last_run_no is
    'The last run that reported it. Null while it is open and the last published run reported it.';
comment on column reconcile.ledger.first_seen is
    'as_of of the first run that reported it.';
comment on column reconcile.ledger.finding_id is
    'The 32 digits of finding.finding_id in half the space.';
comment on column reconcile.ledger.state is
    'open; closed: a later run found it over; event: reported once; remembered: an event that '
    'counts as reported, although no report has it.';

create table reconcile.ledger_undo (
    run_no bigint not null,
    last_run_no bigint,
    finding_id uuid not null,
    state text not null
);
create index ledger_undo_run on reconcile.ledger_undo (run_no);
comment on table reconcile.ledger_undo is
    'The rows of the ledger before a run changed them, so that the run can be retracted.';

create table reconcile.cleared_finding (
    run_id text not null,
    last_run_id text not null,
    finding_id text not null,
    primary key (run_id, finding_id)
);
comment on table reconcile.cleared_finding is
    'Findings of earlier runs that a run found to be over.';
comment on column reconcile.cleared_finding.last_run_id is
    'The last run that reported it: reconcile.finding has the row.';

create table reconcile.unjudged_finding (
    run_id text not null,
    finding_id text not null
);
create index unjudged_finding_run on reconcile.unjudged_finding using brin (run_id)
with (autosummarize);
comment on table reconcile.unjudged_finding is
    'Open findings that a run did not report because it could not judge them.';

create table reconcile.remembered_event (
    run_id text not null,
    finding_id text not null,
    event_at timestamptz,
    kind text not null,
    user_id text,
    reference text not null
);
create index remembered_event_run on reconcile.remembered_event using brin (run_id)
with (autosummarize);
comment on table reconcile.remembered_event is
    'Events that no report has and later runs must not report: those that a finding covers, and '
    'refunds older than --event-horizon.';

create table reconcile.acceptance (
    acceptance_no bigint generated always as identity primary key,
    finding_id uuid not null,
    kind text not null,
    user_id text,
    accepted_by text not null check (accepted_by <> ''),
    reason text not null check (reason <> ''),
    accepted_until timestamptz,
    accepted_at timestamptz not null default now(),
    is_undone boolean not null default false
);
create index acceptance_user on reconcile.acceptance using hash (user_id);
create index acceptance_finding on reconcile.acceptance (finding_id, acceptance_no);
comment on table reconcile.acceptance is
    'Findings that an operator has accepted: shown as accepted, and not counted in money and '
    '--fail-on. The last row of a finding counts.';
comment on column reconcile.acceptance.kind is
    'The finding''s kind, which stays known when no run has the finding any more.';
comment on column reconcile.acceptance.accepted_until is
    'Runs whose as_of is before this instant accept it. Null: no end.';
comment on column reconcile.acceptance.is_undone is
    'Whether the row undoes the acceptance.';

-- Names no user.
create table reconcile.erasure (
    erasure_no bigint generated always as identity primary key,
    run_id text not null,
    erased_by text not null check (erased_by <> ''),
    erased_at timestamptz not null default now(),
    receipts int not null,
    entitlements int not null,
    cleared int not null,
    unverified int not null,
    not_reported int not null
);
create index erasure_run on reconcile.erasure (run_id);
comment on table reconcile.erasure is
    'One row for each erased user and run that had judged the user: how many receipts and '
    'entitlements it had of the user, and lines in its reports. Findings are in erased_finding.';

create table reconcile.erased_finding (
    erasure_no bigint not null references reconcile.erasure,
    kind text not null,
    money_bucket text,
    currency text,
    findings int not null,
    amount numeric
);
create index erased_finding_erasure on reconcile.erased_finding (erasure_no);
comment on table reconcile.erased_finding is
    'How many findings of a kind, and how much money, a run had of an erased user.';

insert into reconcile.privilege (relation, role_name, privileges)
select
    listed.relation,
    'reconcile_job',
    array['select', 'insert', 'update', 'delete']
from
    unnest(
        array[
            'ledger', 'ledger_undo', 'cleared_finding', 'unjudged_finding', 'remembered_event',
            'acceptance', 'erasure', 'erased_finding'
        ]
    ) as listed (relation);
insert into reconcile.privilege (relation, role_name, privileges)
select
    listed.relation,
    'reconcile_reader',
    array['select']
from
    unnest(
        array[
            'ledger', 'cleared_finding', 'unjudged_finding', 'acceptance', 'erasure',
            'erased_finding'
        ]
    ) as listed (relation);
insert into reconcile.privilege (relation, role_name, privileges)
values ('ledger', 'reconcile_service', array['select']);
