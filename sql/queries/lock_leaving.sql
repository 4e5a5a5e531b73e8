-- Lets the workers of a run that leave do so one after the other.
-- $1 text run_id. Locks: one advisory lock until the end of the transaction.
select pg_advisory_xact_lock(7389, pg_catalog.hashtext($1))
