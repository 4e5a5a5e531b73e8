-- The database's encoding, by PostgreSQL's name.
-- No parameters. No locks.
select current_setting('server_encoding') as encoding
