-- The server's version, encoding and clock.
-- No parameters. No locks.
select
    current_setting('server_version') as version,
    current_setting('server_version_num')::int as version_number,
    current_setting('server_encoding') as encoding,
    clock_timestamp() as server_time
