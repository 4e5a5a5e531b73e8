-- Makes the session independent of settings of the server and the role. The search path has only
-- PostgreSQL's own schemas, so that the job never calls another user's functions or operators.
-- No parameters. No locks.
select
    pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', false),
    -- Rows hidden by a policy must raise an error.
    pg_catalog.set_config('row_security', 'off', false),
    -- A statement outside a transaction must take its snapshot after its locks, or it finds a table
    -- empty that was truncated and loaded again while it waited.
    pg_catalog.set_config('default_transaction_isolation', 'read committed', false),
    pg_catalog.set_config('datestyle', 'ISO, YMD', false),
    pg_catalog.set_config('intervalstyle', 'postgres', false),
    pg_catalog.set_config('timezone', 'UTC', false),
    pg_catalog.set_config('bytea_output', 'hex', false),
    pg_catalog.set_config('extra_float_digits', '1', false),
    pg_catalog.set_config('standard_conforming_strings', 'on', false),
    pg_catalog.set_config('client_min_messages', 'warning', false),
    -- A server crash must not lose users whose COMMIT was confirmed.
    pg_catalog.set_config(
        'synchronous_commit',
        case
            when pg_catalog.current_setting('synchronous_commit') operator(pg_catalog.=) 'off'
                then 'on'
            else pg_catalog.current_setting('synchronous_commit')
        end,
        false
    ),
    -- The server detects a dead client host within a minute and frees its locks. No effect on a
    -- Unix socket.
    pg_catalog.set_config('tcp_keepalives_idle', '30', false),
    pg_catalog.set_config('tcp_keepalives_interval', '10', false),
    pg_catalog.set_config('tcp_keepalives_count', '3', false),
    -- A statement that waits this long for a lock fails and is named in the error; a run says so,
    -- and begins the statement again.
    pg_catalog.set_config('lock_timeout', '10s', false),
    -- JIT compilation takes longer than any statement on one batch.
    pg_catalog.set_config('jit', 'off', false)
