-- The server's version, encoding and clock, and whether the session may write.
-- No parameters. No locks.
select
    current_setting('server_version') as version,
    current_setting('server_version_num')::int as version_number,
    current_setting('server_encoding') as encoding,
    pg_is_in_recovery() as is_standby,
    current_setting('transaction_read_only')::boolean as is_read_only,
    clock_timestamp() as server_time
