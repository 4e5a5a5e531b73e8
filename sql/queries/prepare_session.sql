-- Makes what a session prints and reads independent of the server's and the role's settings, and
-- finds nothing but what PostgreSQL itself has under names that are not qualified: who may create
-- functions or operators elsewhere must not have the job run them.
-- No parameters, no locks.
select
    pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', false),
    -- Rows that a policy would hide are an error, not a smaller night.
    pg_catalog.set_config('row_security', 'off', false),
    pg_catalog.set_config('datestyle', 'ISO, YMD', false),
    pg_catalog.set_config('intervalstyle', 'postgres', false),
    pg_catalog.set_config('timezone', 'UTC', false),
    pg_catalog.set_config('bytea_output', 'hex', false),
    pg_catalog.set_config('extra_float_digits', '1', false),
    pg_catalog.set_config('standard_conforming_strings', 'on', false),
    pg_catalog.set_config('client_min_messages', 'warning', false),
    -- Users whose COMMIT was answered are never recorded again: a crash must not undo it.
    pg_catalog.set_config(
        'synchronous_commit',
        case
            when pg_catalog.current_setting('synchronous_commit') operator(pg_catalog.=) 'off'
                then 'on'
            else pg_catalog.current_setting('synchronous_commit')
        end,
        false
    ),
    -- Of a client whose host is gone the server learns in a minute, and frees what it held; over a
    -- Unix socket these mean nothing.
    pg_catalog.set_config('tcp_keepalives_idle', '30', false),
    pg_catalog.set_config('tcp_keepalives_interval', '10', false),
    pg_catalog.set_config('tcp_keepalives_count', '3', false),
    -- A lock of another session ends a statement with an error that names it.
    pg_catalog.set_config('lock_timeout', '40s', false),
    -- Compiling takes longer than any of our statements on one batch.
    pg_catalog.set_config('jit', 'off', false)
