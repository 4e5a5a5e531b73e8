-- Remembers that a migration was applied.
-- $1 int version, $2 text name, $3 text of the file. Locks: its own row.
insert into reconcile.migration (version, name, sha256)
values ($1::int, $2, sha256(convert_to($3, 'UTF8')))
