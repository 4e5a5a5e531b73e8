-- Sessions of the database: identity, settings, encoding.

-- name: find_process
-- The process of the server that runs this statement. The first statement of each connection.
-- No parameters. No locks.
select pg_catalog.pg_backend_pid()

-- name: discard_session
-- Frees the locks and settings of a session that a pooler keeps for its next client.
-- No parameters. No locks.
discard all

-- name: prepare_session
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

-- name: server_encoding
-- The database's encoding, by PostgreSQL's name.
-- No parameters. No locks.
select current_setting('server_encoding') as encoding

-- name: check_encoding
-- Fails with SQLSTATE 22P05 unless the database's encoding can store the text.
-- $1 bytea the text in UTF-8, which PostgreSQL does not convert on receipt. No locks.
select length(convert($1::bytea, 'UTF8', current_setting('server_encoding'))) as bytes

-- name: limit_lock_wait
-- Limits, for this transaction, how long a statement waits for a lock that lock_views cannot take
-- in advance: of a materialized view, a foreign table, or a table that a function reads. Less than
-- PostgreSQL's deadlock_timeout (1 s), so that no session of the team is ended for a deadlock.
-- No parameters. No locks, and no snapshot.
set local lock_timeout = '500ms'

-- name: avoid_nested_loops
-- Discourages nested loops until the end of the transaction. The planner has no statistics of rows
-- that the run has just written, and would scan all of them once per row of another table.
-- No parameters. No locks.
select set_config('enable_nestloop', 'off', true) as enable_nestloop

-- name: avoid_sequential_scans
-- Discourages sequential scans until the end of the transaction. A table of a few pages costs less
-- to scan than to look up in, but not once for each user of a batch.
-- No parameters. No locks.
select set_config('enable_seqscan', 'off', true) as enable_seqscan

-- name: find_failing_column, long
-- Fails with the name of the first column of a view that cannot be read, since PostgreSQL does not
-- name it. Otherwise does nothing. Runs only after a failure.
-- No parameters. No locks. Reads each column of the views completely, as the text that a client
-- gets: convert_to checks the bytes, and makes the server of a foreign table send them.
do $$
declare
    failing record;
begin
    for failing in
        select
            c.relname::text as view_name,
            a.attname::text as column_name
        from pg_catalog.pg_class as c
        inner join pg_catalog.pg_attribute as a on a.attrelid = c.oid
        where c.relnamespace = 'reconcile'::regnamespace
            and c.relname in (
                'stored_receipts', 'stored_entitlements', 'catalog_products', 'catalog_apps',
                'stored_download_keys'
            )
            and a.attnum > 0
            and not a.attisdropped
        order by c.relname, a.attnum
    loop
        begin
            execute format(
                $sql$ select count(convert_to(%I::text, 'UTF8')) from reconcile.%I $sql$,
                failing.column_name, failing.view_name
            );
        exception
            when others then
                raise exception using
                    errcode = sqlstate,
                    message = sqlerrm,
                    table = failing.view_name,
                    column = failing.column_name;
        end;
    end loop;
end
$$
