-- A period needs what stood after a run that may be followed by many others: the ledger, with the
-- changes since undone.
-- Locks: none on tables. The program holds the migration lock.

insert into reconcile.privilege (relation, role_name, privileges)
values ('ledger_undo', 'reconcile_reader', array['select']);
