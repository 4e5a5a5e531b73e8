-- Who shows a subscription that several users' receipts show, so that it is known whose missing
-- answer may hide it, and of whom a run could not judge everything.
-- Locks: table run for the instant of its change, and what it creates. The program holds the
-- migration lock.

alter table reconcile.run add column compared_at timestamptz;
comment on column reconcile.run.compared_at is
    'When what its batches saw was compared over all users. That is done once.';

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

-- No keys, as in 0003.
create table reconcile.undecided_user (
    run_id text not null,
    user_id text collate "C" not null,
    lacks_evidence boolean not null,
    may_be_granted boolean not null
);
comment on table reconcile.undecided_user is
    'Users of whom a run could not judge everything. Rows are copied with their batch and deleted '
    'when the run is closed.';
comment on column reconcile.undecided_user.lacks_evidence is
    'Something that could speak for the user could not be read.';
comment on column reconcile.undecided_user.may_be_granted is
    'The user has a row of the App Store that is granted or in flux, or one that cannot be read.';
