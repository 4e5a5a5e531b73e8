-- Sign-offs: who answers for the bytes of a published folder. Lines are added, never changed: no
-- role may update or delete them.
-- Locks: only what it creates. The program holds the migration lock.

create table reconcile.sign_off (
    sign_off_no bigint generated always as identity primary key,
    folder_kind text not null check (folder_kind in ('run', 'period', 'tie-out')),
    folder_name text not null check (folder_name <> ''),
    manifest_sha256 bytea not null check (length(manifest_sha256) = 32),
    role text not null check (role in ('preparer', 'reviewer')),
    signed_by text not null check (signed_by <> ''),
    note text not null check (note <> ''),
    signed_at timestamptz not null
);
-- By digest: the name of a period's folder has a bundle in it, which may be long.
create index sign_off_folder on reconcile.sign_off (folder_kind, md5(folder_name));
comment on table reconcile.sign_off is
    'Who signed which folder, in which role. A folder that is written again with other bytes has '
    'another manifest, which nobody has signed yet.';
comment on column reconcile.sign_off.folder_name is
    'Its name in the reports folder: of a run, its run_id.';
comment on column reconcile.sign_off.manifest_sha256 is
    'SHA-256 of the manifest.json that was signed, which has the digests of all other files.';
comment on column reconcile.sign_off.signed_at is
    'By the clock of the machine on which it was signed.';

insert into reconcile.privilege (relation, role_name, privileges)
values
('sign_off', 'reconcile_job', array['select', 'insert']),
('sign_off', 'reconcile_reader', array['select']);
