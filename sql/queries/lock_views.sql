-- Locks views and the tables below them, partitions too, against being truncated, rewritten or
-- replaced until the end of the transaction. It must come before the transaction's snapshot, which
-- LOCK itself does not take: an older snapshot would find a truncated table empty.
-- Fails at once (55P03) if a lock is not free. So it never waits for one lock while it holds
-- another, and no session of the team waits in a queue behind it.
-- {views}: the names of the views. Locks: access share on all of them.
lock table {views} in access share mode nowait
