-- Records an applied migration.
-- $1 int version, $2 text name, $3 bytea text of the file in UTF-8. Locks: its own row.
insert into reconcile.migration (version, name, sha256)
values ($1::int, $2, sha256($3::bytea))
