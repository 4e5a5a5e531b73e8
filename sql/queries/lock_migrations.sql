-- Waits until no other `migrate` is at work. `if not exists` alone does not save two at once.
-- No parameters. Locks: one advisory lock until the end of the transaction.
select pg_advisory_xact_lock(7387, 1)
