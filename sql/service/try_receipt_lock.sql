-- Tries to lock a receipt, so that only one process asks Apple about it. Held until the session
-- ends.
-- $1 text the first 16 digits of its SHA-256. Locks: an advisory lock with a 64-bit key.
select pg_try_advisory_lock(('x' || $1)::bit(64)::bigint) as is_taken
