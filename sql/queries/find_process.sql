-- The process of the server that runs this statement. The first statement of each connection.
-- No parameters. No locks.
select pg_catalog.pg_backend_pid()
