-- What the batches of a run saw that means something only beside other users' receipts. Rows are
-- copied with their batch and deleted when the run is closed, so the tables hold one run.
-- Locks: only what it creates. The program holds the migration lock.

-- No keys: rows are written once, in the transaction that completes their batch, read once, whole,
-- and an index would cost more than it ever gave.
create table reconcile.sighted_subscription (
    run_id text not null,
    user_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    entitlement_id text,
    receipt_id text,
    product_id text,
    transaction_id text,
    ownership text check (ownership in ('PURCHASED', 'FAMILY_SHARED')),
    apple_state text,
    apple_expires_at timestamptz,
    reason text,
    check ((entitlement_id is null) = (receipt_id is null)),
    check ((entitlement_id is null) = (product_id is null)),
    check ((entitlement_id is null) = (transaction_id is null)),
    check ((entitlement_id is null) = (apple_state is null))
);
comment on table reconcile.sighted_subscription is
    'A subscription that a user''s right-giving answers show, family-shared ones excepted: one row '
    'a user and chain.';
comment on column reconcile.sighted_subscription.entitlement_id is
    'A granted row of the user whose best grantor the chain is. Null, with all that follows: none.';
comment on column reconcile.sighted_subscription.receipt_id is
    'The receipt whose answer carried transaction_id, the one that covers the right.';

create table reconcile.sighted_product (
    run_id text not null,
    product_id text collate "C" not null,
    users int not null check (users >= 0),
    entitlements int not null check (entitlements >= 0)
);
comment on table reconcile.sighted_product is
    'A product that is not in the catalogue: one row a batch and product.';
comment on column reconcile.sighted_product.users is
    'Users of the batch whose right-giving answers show it.';
comment on column reconcile.sighted_product.entitlements is
    'Stored entitlements of the batch that name it.';
