-- Whether the connected role may read Apple's answers: explain tells of them if it may.
-- No parameters. No locks.
select has_column_privilege('reconcile.evidence', 'body', 'select') as may_read
