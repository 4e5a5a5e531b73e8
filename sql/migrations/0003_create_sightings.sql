-- Facts about each user of a run that are compared between users after all are recorded. Rows are
-- written with their user and kept with the run.
-- Locks: only what it creates. The program holds the migration lock.

-- No keys: the rows of a run are written once, and read once when it is closed. They are stored in
-- the order of runs, so a small BRIN index finds a run's part.
create table reconcile.sighted_purchase (
    run_no bigint not null,
    user_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    entitlement_id text,
    receipt_id text,
    product_id text,
    transaction_id text,
    bundle_id text,
    evidence_sha256 bytea,
    ownership text,
    apple_state text,
    apple_expires_at timestamptz,
    reason text,
    source text,
    newest_transaction_id text,
    newest_purchased_at timestamptz,
    account_token text
);
comment on table reconcile.sighted_purchase is
    'A subscription, or another purchase that gives a right, in a user''s answers: one row per '
    'user and original transaction. Excludes family-shared purchases.';
comment on column reconcile.sighted_purchase.entitlement_id is
    'A granted row of the user whose best grantor is this purchase. Null, like the columns after '
    'it, without such a row.';
comment on column reconcile.sighted_purchase.source is
    'server_api, where the right is shown by an answer of the App Store Server API.';
comment on column reconcile.sighted_purchase.newest_transaction_id is
    'Of the purchase''s transactions in answers of the App Store Server API the newest. Null, like '
    'the columns after it, without one.';
comment on column reconcile.sighted_purchase.account_token is
    'The account that the app named when that transaction was bought; null for a family member''s.';
comment on column reconcile.sighted_purchase.receipt_id is
    'The receipt whose answer contains transaction_id, which gives the right.';

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
    'A receipt by which a user paid for an app before it became free: one row per granted '
    'legacy_paid row that is based on it, else one row.';
comment on column reconcile.sighted_receipt.receipt_sha256 is
    'SHA-256 of the receipt''s bytes, after its base64 was repaired.';

create table reconcile.sighted_product (
    run_id text not null,
    product_id text collate "C" not null,
    users int not null check (users >= 0),
    entitlements int not null check (entitlements >= 0)
);
comment on table reconcile.sighted_product is
    'Products that are not in the catalogue: one row per flush and product.';
comment on column reconcile.sighted_product.users is
    'Users to whom Apple''s answers give a right to it.';
comment on column reconcile.sighted_product.entitlements is
    'Stored entitlements to it.';

create table reconcile.undecided_user (
    run_id text not null,
    user_id text collate "C" not null,
    lacks_evidence boolean not null,
    may_be_granted boolean not null
);
comment on table reconcile.undecided_user is
    'Users whom a run could not judge completely.';
comment on column reconcile.undecided_user.lacks_evidence is
    'Whether something that could prove a right of the user could not be read.';
comment on column reconcile.undecided_user.may_be_granted is
    'Whether the user has an App Store row that is granted, settling or unreadable.';

create index sighted_purchase_run on reconcile.sighted_purchase using brin (run_no)
with (autosummarize);
create index sighted_receipt_run on reconcile.sighted_receipt using brin (run_id)
with (autosummarize);
create index sighted_product_run on reconcile.sighted_product using brin (run_id)
with (autosummarize);
create index undecided_user_run on reconcile.undecided_user using brin (run_id)
with (autosummarize);

insert into reconcile.privilege (relation, role_name, privileges)
select
    listed.relation,
    'reconcile_job',
    array['select', 'insert', 'update', 'delete']
from
    unnest(
        array[
            'sighted_purchase', 'sighted_receipt', 'sighted_product', 'undecided_user'
        ]
    ) as listed (relation);
