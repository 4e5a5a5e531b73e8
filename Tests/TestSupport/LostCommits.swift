internal import Testing

@testable import Reconcile

/// Loses commits, as an asynchronous failover to a standby that lags does: the job's own tables get
/// the rows that they had at an earlier instant, and every session ends.
struct LostCommits {
    private let test: TestDatabase

    /// Remembers the job's tables as they are now.
    static func after(_ test: TestDatabase) async throws -> Self {
        try await test.execute(
            """
            begin isolation level repeatable read;
            drop schema if exists earlier cascade;
            create schema earlier;
            do $$
            declare
                name text;
            begin
                for name in
                    select tablename from pg_tables
                    where schemaname = 'reconcile' and tablename <> 'migration'
                loop
                    execute format('create table earlier.%I as table reconcile.%I', name, name);
                end loop;
            end
            $$;
            commit
            """)
        return Self(test: test)
    }

    /// What was committed since is gone.
    func lose() async throws {
        try await test.execute(
            """
            begin;
            select pg_terminate_backend(pid, 5000) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid();
            do $$
            declare
                name text;
                names text := (
                    select string_agg(format('reconcile.%I', tablename), ', ') from pg_tables
                    where schemaname = 'earlier'
                );
            begin
                execute 'truncate ' || names;
                for name in
                    select tablename from pg_tables where schemaname = 'earlier'
                    order by tablename <> 'run'
                loop
                    execute format(
                        'insert into reconcile.%I overriding system value table earlier.%I',
                        name, name);
                end loop;
            end
            $$;
            commit
            """)
    }
}
