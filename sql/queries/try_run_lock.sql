-- Takes the lock that makes a second run at the same time wait for another night.
-- No parameters. Locks: one advisory lock until the session ends.
select pg_try_advisory_lock(7387, 2) as is_acquired
