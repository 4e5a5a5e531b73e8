-- Releases the lock of a receipt.
-- $1 text the first 16 digits of its SHA-256. Locks: releases an advisory lock.
select pg_advisory_unlock(('x' || $1)::bit(64)::bigint) as was_held
