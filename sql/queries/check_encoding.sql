-- Fails with SQLSTATE 22P05 unless a text can be stored in the database's encoding.
-- $1 bytea the text in UTF-8, which is not converted on its way. No locks.
select length(convert($1::bytea, 'UTF8', current_setting('server_encoding'))) as bytes
