-- Discourages sequential scans until the end of the transaction. A table of a few pages costs less
-- to scan than to look up in, but not once for each user of a batch.
-- No parameters. No locks.
select set_config('enable_seqscan', 'off', true) as enable_seqscan
