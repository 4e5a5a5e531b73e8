internal import SQL
internal import Testing

@testable import Reconcile
@testable import TestSupport

/// `LOGIN` is the session's role, `GROUP` a role that it is a member of.
@Suite("Privileges of the session's role", .database)
struct RightsTests: DatabaseSuite {
    @Test(
        "A role that could write under a view, or become one that does, is refused",
        arguments: """
            grant insert, delete on team.receipts to LOGIN | \
                role LOGIN may insert, delete in team.receipts
            grant truncate on team.entitlements to LOGIN | LOGIN may truncate in team.entitlements
            grant delete on team.receipts to public | role LOGIN may delete in team.receipts
            grant update on team.receipts to GROUP | role LOGIN may update in team.receipts
            grant trigger on team.receipts to LOGIN | role LOGIN may trigger in team.receipts
            NESTED; grant update on team.receipts to LOGIN | LOGIN may update in team.receipts
            NESTED; grant update on team.nested to LOGIN | role LOGIN may update in team.nested
            KEPT; grant delete on team.receipts to LOGIN | role LOGIN may delete in team.receipts
            PARTED; grant insert on team.rest to LOGIN | role LOGIN may insert in team.rest
            REST; grant insert on team.parted to LOGIN | role LOGIN may insert in team.parted
            create table team.more () inherits (team.receipts); grant delete on team.more to LOGIN \
                | role LOGIN may delete in team.more
            AFAR; grant insert on team.afar to LOGIN | role LOGIN may insert in team.afar
            PARSED; grant update on team.receipts to LOGIN | LOGIN may update in team.receipts
            grant update (data) on team.receipts to LOGIN | role LOGIN may update in team.receipts
            alter role LOGIN noinherit; grant update on team.receipts to GROUP | \
                role GROUP may update in team.receipts
            grant pg_write_all_data to LOGIN | LOGIN may insert, update, delete in team.receipts
            alter table team.entitlements owner to LOGIN | role LOGIN owns team.entitlements
            alter table team.entitlements owner to GROUP; revoke all on team.entitlements from \
                GROUP | role GROUP owns team.entitlements
            alter role LOGIN superuser | role LOGIN is a superuser: it could change
            alter role GROUP superuser | role GROUP is a superuser: it could change
            alter role LOGIN createrole | role LOGIN may create roles
            grant pg_write_server_files to LOGIN | role pg_write_server_files USES-FILES
            grant pg_execute_server_program to GROUP | role pg_execute_server_program USES-FILES
            grant insert on VIEW to LOGIN | By its privilege to write to VIEW, the database \
            role acts as postgres, which owns team.receipts
            grant update (receipt_data) on VIEW to GROUP | By its privilege to write to VIEW
            create function team.swallow() returns trigger language plpgsql security definer as \
                'begin delete from team.receipts; return null; end'; create trigger swallow \
                instead of insert on VIEW for each row execute function team.swallow(); \
                grant insert on VIEW to LOGIN | postgres, which owns team.receipts
            """.replacing("VIEW", with: "reconcile.stored_receipts")
                .replacing("USES-FILES", with: "may use the server's files or programs").pairs)
    func refused(sql: String, sentence: String) async throws {
        try await asMember(sql) { database in
            let error = try await databaseError(database.privileges.checkReadOnlyRole)
            #expect(error.description.contains(named(sentence)), "\(error)")
            #expect(error.description.hasSuffix("or add --allow-writable-role."))
        }
    }

    private static let partitions =
        "create table team.parted (like team.receipts) partition by list "
        + "(bundle); create table team.rest partition of team.parted default"
    /// What `stored_receipts` is a view over, by a word: the SQL that makes it, and its name.
    private static let sources = """
        NESTED | create view team.nested as table team.receipts | nested
        KEPT | create materialized view team.kept as table team.receipts | kept
        PARTED | \(partitions) | parted
        REST | \(partitions) | rest
        AFAR | create foreign data wrapper nowhere; create server afar foreign data wrapper \
            nowhere; create foreign table team.afar (id text, who text, bundle text, data text, \
            at timestamptz) server afar | afar
        PARSED | create function team.shown() returns setof team.receipts stable \
            begin atomic select * from team.receipts; end | shown()
        HIDING | create function team.shown() returns table (id text, who text, bundle text, data \
            text, at timestamptz) language sql stable as 'select * from team.receipts' | shown()
        """.triples

    @Test(
        "A role that can only read, or write elsewhere, is accepted, but for what is hidden",
        arguments: [
            "select 1", "grant all on team.products, team.apps to LOGIN",
            "grant select on team.receipts, team.entitlements to LOGIN",
            // The owner of the views may only read under them.
            """
            grant select on team.receipts, team.entitlements to GROUP;
            grant usage on schema team to GROUP; grant create on schema reconcile to GROUP;
            alter view reconcile.stored_receipts owner to GROUP;
            alter view reconcile.stored_entitlements owner to GROUP;
            """,
            // A function that hides which tables it reads is reported as not checked.
            "HIDING; grant update on team.receipts to LOGIN",
        ])
    func accepted(sql: String) async throws {
        try await asMember(sql) { database in
            let sentences = try await database.privileges.checkReadOnlyRole()
            #expect(sentences.count == (sql.contains("HIDING") ? 1 : 0))
            #expect(sentences.allSatisfy { $0.contains("calls function team.shown, so") })
        }
    }

    @Test("A role that lacks a privilege on a view or a table of the job is refused")
    func tooFew() async throws {
        let readable = "reconcile.catalog_apps"
        let revoke = "revoke all on all tables in schema reconcile from reconcile_job;"
        try await asMember(revoke + "grant select on \(readable) to LOGIN") { database in
            let why = try await databaseError(database.privileges.checkNeeded).description
            // The check must cover every table that the migrations create.
            let all = """
                information_schema.tables
                where table_schema = 'reconcile' and table_name <> 'privilege'
                """
            let relations = try await texts("select 'reconcile.' || table_name from \(all)")
            for relation in relations.compactMap(\.self) where relation != readable {
                #expect(why.contains(relation))
            }
            #expect(relations.contains(readable))
            #expect(!why.contains(readable))
            #expect(why.contains("nor to insert into reconcile.acceptance, reconcile.batch"))
            #expect(why.contains("run reconcile-job migrate --roles apply as"))
        }
    }

    private func asMember(_ sql: String, _ body: (Database) async throws -> Void) async throws {
        try await execute(SQL.roles.text)
        let view = """
            drop view reconcile.stored_receipts; create view reconcile.stored_receipts as
            select id as receipt_id, who as user_id, bundle as bundle_id, data as receipt_data,
                at as stored_at from team.
            """
        let sql = Self.sources.reduce(sql) { sql, source in
            sql.replacing(source.0, with: source.1 + ";" + view + source.2)
        }
        try await asLogin("grant reconcile_job, GROUP to LOGIN; " + sql, body)
    }
}

/// A run that silently reads fewer rows would accuse customers whose receipts it cannot see.
/// `GROUP` is a view's owner that does not own the table.
@Suite("Row-level security under a view", .database)
struct RowSecurityTests: DatabaseSuite {
    private static let invoker = """
        grant usage on schema team to LOGIN; grant select on team.receipts to LOGIN;
        alter view reconcile.stored_receipts set (security_invoker = true);
        """
    private static let otherOwner = """
        grant usage on schema team, reconcile to GROUP; grant select on team.receipts to GROUP;
        alter view reconcile.stored_receipts owner to GROUP;
        """

    @Test(
        "A policy that would apply is an error that names the table, and never fewer rows",
        arguments: [
            invoker, otherOwner,
            // This policy would show all rows, which PostgreSQL cannot know.
            invoker + "alter policy others on team.receipts using (true);",
            // Without a policy all rows are hidden.
            invoker + "drop policy others on team.receipts;",
            "alter table team.receipts force row level security, owner to GROUP;" + otherOwner,
            invoker + "alter role LOGIN set row_security = on;",
        ])
    func error(sql: String) async throws {
        try await asJob(sql) { database, batch in
            let group = Batch(number: 9, users: nil, look: 2)
            let look = database.secondLook
            let operations: [() async throws -> Any] = [
                { try await database.portions(of: batch) },
                { try await database.batches.group([.test("bob")], of: group, in: .test()) as Any },
                database.views.check,
                { try await database.planner.plan(.everything, usersPerBatch: 9) },
                { try await look.controls(of: run, verifiedBy: .production, from: 0, count: 1) },
                { try await database.ledger.settle(.test(), guards: .off) { $0 } },
            ]
            for operation in operations {
                let error = try await databaseError(operation)
                let words = error.description
                #expect(words.hasPrefix("A row-level security policy would hide rows"))
                #expect(words.contains(#"policy for table "receipts""#))
                #expect(words.contains("Grant BYPASSRLS to the role that reads the table"))
                #expect(!error.isPassing)
                #expect(!error.wouldRecur)
            }
        }
    }

    @Test(
        "A role that is exempt from the policies reads all rows",
        arguments: [
            // A view of the table's owner.
            "", invoker + "alter role LOGIN bypassrls;", otherOwner + "alter role GROUP bypassrls;",
            invoker + "alter table team.receipts disable row level security;",
        ])
    func exempt(sql: String) async throws {
        try await asJob(sql) { database, batch in
            let users = try await database.portions(of: batch).flatMap(\.users).map(\.user)
            #expect(Set(users) == ["ann", "bob"])
        }
    }

    private func asJob(_ sql: String, _ body: (Database, Batch) async throws -> Void) async throws {
        let batch = try await night(usersPerBatch: 9)[0]
        let security = """
            grant usage on schema reconcile to LOGIN;
            grant all on all tables in schema reconcile to LOGIN;
            alter table team.receipts enable row level security;
            create policy others on team.receipts using (who <> 'bob');
            """
        try await asLogin(security + sql) { try await body($0, batch) }
    }
}
