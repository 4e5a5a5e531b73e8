-- Tries to take the lock that allows one run over everything at a time.
-- No parameters. Locks: one advisory lock until the session ends.
select pg_try_advisory_lock(7387, 2) as is_acquired
