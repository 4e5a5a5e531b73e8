-- What a run saw of each user that means something only beside other users' receipts. Rows are
-- written with their user and stay with the run.
-- Locks: only what it creates. The program holds the migration lock.

-- No keys: rows are written once and read once, whole, when the run is closed. They lie in the
-- order of their runs, so an index of ranges finds a run's part and costs next to nothing.
create table reconcile.sighted_purchase (
    run_id text not null,
    user_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    entitlement_id text,
    receipt_id text,
    product_id text,
    transaction_id text,
    bundle_id text,
    evidence_sha256 bytea,
    ownership text check (ownership in ('PURCHASED', 'FAMILY_SHARED')),
    apple_state text,
    apple_expires_at timestamptz,
    reason text,
    check ((entitlement_id is null) = (receipt_id is null)),
    check ((entitlement_id is null) = (product_id is null)),
    check ((entitlement_id is null) = (transaction_id is null)),
    check ((entitlement_id is null) = (apple_state is null))
);
comment on table reconcile.sighted_purchase is
    'A subscription, or another purchase that gives a right, that a user''s right-giving answers '
    'show, family-shared ones excepted: one row a user and original transaction.';
comment on column reconcile.sighted_purchase.entitlement_id is
    'A granted row of the user whose best grantor it is. Null, with all that follows: none.';
comment on column reconcile.sighted_purchase.receipt_id is
    'The receipt whose answer carried transaction_id, the one that covers the right.';

create table reconcile.sighted_receipt (
    run_id text not null,
    user_id text collate "C" not null,
    receipt_sha256 bytea not null,
    receipt_id text not null,
    bundle_id text not null,
    entitlement_id text,
    product_id text,
    stored_expires_at timestamptz,
    check ((entitlement_id is null) = (product_id is null))
);
comment on table reconcile.sighted_receipt is
    'A receipt by which a user paid for an app before it became free: one row for each granted '
    'legacy_paid row that stands on it, or one.';
comment on column reconcile.sighted_receipt.receipt_sha256 is
    'Of the receipt''s bytes, after its base64 was repaired.';

create table reconcile.sighted_product (
    run_id text not null,
    product_id text collate "C" not null,
    users int not null check (users >= 0),
    entitlements int not null check (entitlements >= 0)
);
comment on table reconcile.sighted_product is
    'A product that is not in the catalogue: one row or more a batch and product.';
comment on column reconcile.sighted_product.users is
    'Users whose right-giving answers show it.';
comment on column reconcile.sighted_product.entitlements is
    'Stored entitlements that name it.';

create table reconcile.undecided_user (
    run_id text not null,
    user_id text collate "C" not null,
    lacks_evidence boolean not null,
    may_be_granted boolean not null
);
comment on table reconcile.undecided_user is
    'Users of whom a run could not judge everything.';
comment on column reconcile.undecided_user.lacks_evidence is
    'Something that could speak for the user could not be read.';
comment on column reconcile.undecided_user.may_be_granted is
    'The user has a row of the App Store that is granted or in flux, or one that cannot be read.';

create index sighted_purchase_run on reconcile.sighted_purchase using brin (run_id)
with (autosummarize);
create index sighted_receipt_run on reconcile.sighted_receipt using brin (run_id)
with (autosummarize);
create index sighted_product_run on reconcile.sighted_product using brin (run_id)
with (autosummarize);
create index undecided_user_run on reconcile.undecided_user using brin (run_id)
with (autosummarize);
