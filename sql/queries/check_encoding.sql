-- Fails with SQLSTATE 22P05 unless the database's encoding can store the text.
-- $1 bytea the text in UTF-8, which PostgreSQL does not convert on receipt. No locks.
select length(convert($1::bytea, 'UTF8', current_setting('server_encoding'))) as bytes
