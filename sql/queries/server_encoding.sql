-- The encoding that the database stores text in, as PostgreSQL names it.
-- No parameters. No locks.
select current_setting('server_encoding') as encoding
