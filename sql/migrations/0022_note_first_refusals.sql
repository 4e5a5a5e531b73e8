-- An answer says when Apple first refused the receipt, so that who goes on with a run sees refusals
-- where they began, and not all together where they were confirmed.
-- Locks: table answer, for the instant of its change. The program holds the migration lock.

alter table reconcile.answer add column refused_at timestamptz;
comment on column reconcile.answer.refused_at is
    'When the first answer came that refused the receipt (21003, 21010). Null if none did, and of '
    'runs from before this column.';
