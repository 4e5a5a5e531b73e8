-- Sign-offs of published folders.

-- name: lock_sign_offs
-- Waits for others who sign the same folder.
-- $1 text the folder. Locks: one advisory lock until the end of the transaction.
select pg_advisory_xact_lock(7391, pg_catalog.hashtext($1))

-- name: folder_sign_offs
-- Every line of a folder, in the order of signing.
-- $1 text kind, $2 text name. No locks. Index sign_off_folder.
select
    encode(manifest_sha256, 'hex') as manifest_sha256,
    role,
    signed_by,
    note,
    signed_at
from reconcile.sign_off
where folder_kind = $1
    and md5(folder_name) = md5($2)
    and folder_name = $2
order by sign_off_no

-- name: add_sign_off
-- Adds a line. {columns} and {values} are those of SignOffStore.
-- Locks: the new row.
insert into reconcile.sign_off ({columns})
values ({values})

-- name: run_sign_offs
-- The lines of some runs, in the order of signing.
-- $1 text[] run_ids. No locks. Index sign_off_folder.
select
    folder_name as run_id,
    encode(manifest_sha256, 'hex') as manifest_sha256,
    role,
    signed_by,
    note,
    signed_at
from reconcile.sign_off
where folder_kind = 'run'
    and md5(folder_name) = any(array(select md5(name) from unnest($1::text[]) as name))
    and folder_name = any($1::text[])
order by sign_off_no
