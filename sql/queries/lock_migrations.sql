-- Waits until no other `migrate` runs: `if not exists` alone is not safe for two at once.
-- No parameters. Locks: one advisory lock until the end of the transaction.
select pg_advisory_xact_lock(7387, 1)
