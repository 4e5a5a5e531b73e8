-- Lets one transaction at a time store receipts with a content, so that at most one of them is
-- stored as Apple wrote it, and one variant.
-- $1 text SHA-256 of the content in hexadecimal.
-- Locks: an advisory lock of the transaction.
select pg_advisory_xact_lock(7390, pg_catalog.hashtext($1))
