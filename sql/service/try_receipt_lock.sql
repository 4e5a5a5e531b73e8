-- Takes the lock of a receipt, so that only one process asks Apple about it. Goes with the session.
-- $1 text the first 16 digits of its SHA-256. Locks: an advisory one, on a number of 64 bits.
select pg_try_advisory_lock(('x' || $1)::bit(64)::bigint) as is_taken
