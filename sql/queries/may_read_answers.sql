-- Whether the connected role may read the bodies of Apple's answers.
-- No parameters. No locks.
select has_column_privilege('reconcile.evidence', 'body', 'select') as may_read
