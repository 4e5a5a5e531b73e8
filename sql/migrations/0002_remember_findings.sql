-- What published runs leave for later ones: findings and cancelled transactions as they changed,
-- and what somebody has accepted. A night on which nothing changes adds no row.
-- Locks: only what it creates. The program holds the migration lock.

create index run_earlier on reconcile.run (run_no) where makes_history and state = 'published';
create index run_dead on reconcile.run (run_no)
where makes_history and state in ('abandoned', 'failed');

-- Every name in it is qualified, so that nobody who may create functions or operators elsewhere can
-- have them run; without a search_path of its own, so that PostgreSQL can put it in line.
create function reconcile.name_key(name text) returns bigint
language sql immutable parallel safe
as $$
select (
    'x' operator(pg_catalog.||) pg_catalog.left(
        pg_catalog.encode(
            pg_catalog.sha256(
                pg_catalog.convert_to(coalesce(name, ''::pg_catalog.text), 'UTF8')
            ),
            'hex'
        ),
        16
    )
)::pg_catalog.bit(64)::pg_catalog.int8
$$;
comment on function reconcile.name_key is
    'The first eight bytes of a name''s SHA-256: names may be longer than an index entry can be.';

create table reconcile.finding_change (
    run_no bigint not null,
    user_key bigint not null,
    first_seen timestamptz,
    last_run_no bigint,
    finding_id uuid not null,
    change text not null check (change in ('reported', 'held', 'cleared', 'told')),
    across_users boolean not null,
    check ((change = 'held') = (last_run_no is not null)),
    check ((change = 'told') = (first_seen is null))
);
create index finding_change_user on reconcile.finding_change (user_key);
create index finding_change_across on reconcile.finding_change (finding_id) where across_users;
-- For the rows of runs that came to nothing: rows lie in the order of their runs.
create index finding_change_run on reconcile.finding_change using brin (run_no);
comment on table reconcile.finding_change is
    'The life of findings, a row a change: reported (and in every run since), held (could not be '
    'judged since last_run_no reported it), cleared, told (an event, which comes once). The last '
    'row of a finding counts, among those of published runs.';
comment on column reconcile.finding_change.user_key is
    'name_key of the user''s id; of the empty text for none.';
comment on column reconcile.finding_change.first_seen is
    'as_of of the first run that reported it.';
comment on column reconcile.finding_change.finding_id is
    'The 32 digits of finding.finding_id in half the room.';
comment on column reconcile.finding_change.across_users is
    'Of a kind that is found at the end of a run, over all users.';

create table reconcile.cancellation (
    run_no bigint not null,
    user_key bigint not null,
    transaction_key bigint not null,
    cancelled_at timestamptz not null,
    is_reported boolean not null,
    is_reversed boolean not null,
    transaction_id text not null
);
create index cancellation_user on reconcile.cancellation (user_key);
create index cancellation_transaction on reconcile.cancellation (transaction_key);
create index cancellation_run on reconcile.cancellation using brin (run_no);
comment on table reconcile.cancellation is
    'Transactions that runs saw cancelled, so that a refund is reported once, and one that Apple '
    'took back is noticed. The last row of a user''s transaction counts.';
comment on column reconcile.cancellation.transaction_key is
    'name_key of transaction_id.';
comment on column reconcile.cancellation.is_reversed is
    'It was reported that Apple no longer shows it as cancelled.';

create table reconcile.cleared_finding (
    like reconcile.finding including comments including constraints including indexes
);
comment on table reconcile.cleared_finding is
    'Findings of the last run that a run saw to be no longer true, as the last run had them; '
    'run_id is the run that cleared them.';

create table reconcile.acceptance (
    acceptance_no bigint generated always as identity primary key,
    finding_id uuid not null,
    user_key bigint not null,
    accepted_by text not null check (accepted_by <> ''),
    reason text not null check (reason <> ''),
    accepted_until timestamptz,
    accepted_at timestamptz not null default now()
);
create index acceptance_user on reconcile.acceptance (user_key);
comment on table reconcile.acceptance is
    'Findings that somebody has looked at and accepted: shown as accepted, outside money and '
    '--fail-on. The last row of a finding counts.';
comment on column reconcile.acceptance.accepted_until is
    'Accepted by runs that judge before this instant. Null: until further notice.';

-- Read whole when a run is closed: it is as long as there are shared subscriptions.
create table reconcile.shared_subscription_change (
    run_no bigint not null,
    is_shown boolean not null,
    original_transaction_id text collate "C" not null,
    user_id text collate "C" not null
);
-- For the rows of runs that came to nothing: rows lie in the order of their runs.
create index shared_subscription_change_run
on reconcile.shared_subscription_change using brin (run_no);
comment on table reconcile.shared_subscription_change is
    'Whose receipts show a subscription that was found to be shared, a row a change. The last row '
    'of a subscription and user counts, among those of published runs.';
