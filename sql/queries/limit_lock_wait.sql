-- Limits, for this transaction, how long a statement waits for a lock that lock_views cannot take
-- in advance: of a materialized view, a foreign table, or a table that a function reads. Less than
-- PostgreSQL's deadlock_timeout (1 s), so that no session of the team is ended for a deadlock.
-- No parameters. No locks, and no snapshot.
set local lock_timeout = '500ms'
