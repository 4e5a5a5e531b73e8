internal import SQL
internal import Testing

@testable import Reconcile
@testable import TestSupport

/// `LOGIN` is replaced by the session's role, `GROUP` by a role that it is a member of.
@Suite("Privileges of the session's role")
struct RightsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        /// A part of the message.
        let sentence: String

        init(_ testDescription: String, _ sql: String, _ sentence: String) {
            self.testDescription = testDescription
            self.sql = sql
            self.sentence = sentence
        }
    }

    @Test(
        "A role that could write to any table under the views is refused",
        arguments: [
            Case(
                "a right on the table", "grant insert, delete on team.receipts to LOGIN",
                "The database role LOGIN may insert, delete in team.receipts"),
            Case(
                "truncate alone", "grant truncate on team.entitlements to LOGIN",
                "LOGIN may truncate in team.entitlements"),
            Case(
                "a right on a column", "grant update (data) on team.receipts to LOGIN",
                "LOGIN may update in team.receipts"),
            Case(
                "a right of everybody's", "grant delete on team.receipts to public",
                "LOGIN may delete in team.receipts"),
            Case(
                "a right of a group's", "grant update on team.receipts to GROUP",
                "LOGIN may update in team.receipts"),
            Case(
                "a right of a group's that it would have to become",
                "alter role LOGIN noinherit; grant update on team.receipts to GROUP",
                "The database role GROUP may update in team.receipts"),
            Case(
                "all the data of the server", "grant pg_write_all_data to LOGIN",
                "LOGIN may insert, update, delete in team.receipts"),
            Case(
                "the owner of a table", "alter table team.entitlements owner to LOGIN",
                "LOGIN owns team.entitlements"),
            Case(
                "the owner of a table, who has no right left",
                """
                alter table team.entitlements owner to GROUP;
                revoke all on team.entitlements from GROUP;
                """, "LOGIN owns team.entitlements"),
            Case(
                "a superuser", "alter role LOGIN superuser",
                "The database role LOGIN is a superuser: it could change"),
            Case(
                "a right to make triggers", "grant trigger on team.receipts to LOGIN",
                "LOGIN may trigger in team.receipts"),
            Case(
                "who may make roles", "alter role LOGIN createrole",
                "The database role LOGIN may create roles"),
            Case(
                "a member of who may make roles", "alter role GROUP createrole",
                "The database role GROUP may create roles"),
            Case(
                "who may write files of the server", "grant pg_write_server_files to LOGIN",
                "The database role pg_write_server_files may use the server's files or programs"),
            Case(
                "who may run programs of the server",
                "grant pg_execute_server_program to GROUP",
                "pg_execute_server_program may use the server's files or programs"),
            Case(
                "a member of a superuser", "alter role GROUP superuser",
                "The database role GROUP is a superuser: it could change"),
            Case(
                "a right on the view, which its owner carries out",
                "grant insert on reconcile.stored_receipts to LOGIN",
                """
                By its privilege to write to reconcile.stored_receipts, the database role acts as \
                postgres, which owns team.receipts
                """),
            Case(
                "a right on a column of the view",
                "grant update (receipt_data) on reconcile.stored_receipts to GROUP",
                "By its privilege to write to reconcile.stored_receipts"),
            Case(
                "beneath a nested view",
                RightsTests.receipts("nested", "create view team.nested as table team.receipts")
                    + "grant update on team.receipts to LOGIN", "update in team.receipts"),
            Case(
                "the nested view",
                RightsTests.receipts("nested", "create view team.nested as table team.receipts")
                    + "grant update on team.nested to LOGIN", "update in team.nested"),
            Case(
                "beneath a materialized view",
                RightsTests.receipts(
                    "kept", "create materialized view team.kept as table team.receipts")
                    + "grant delete on team.receipts to LOGIN", "delete in team.receipts"),
            Case(
                "a partition",
                RightsTests.receipts("parted", RightsTests.partitions)
                    + "grant insert on team.rest to LOGIN", "insert in team.rest"),
            Case(
                "the parent of a partition",
                RightsTests.receipts("rest", RightsTests.partitions)
                    + "grant insert on team.parted to LOGIN", "insert in team.parted"),
            Case(
                "a child",
                "create table team.more () inherits (team.receipts);"
                    + "grant delete on team.more to LOGIN", "delete in team.more"),
            Case(
                "a foreign table",
                """
                create foreign data wrapper nowhere;
                create server afar foreign data wrapper nowhere;
                """
                    + RightsTests.receipts(
                        "afar",
                        """
                        create foreign table team.afar (
                            id text, who text collate "en-x-icu", bundle text, data text,
                            at timestamptz) server afar
                        """) + "grant insert on team.afar to LOGIN", "insert in team.afar"),
            Case(
                "beneath a function that is parsed",
                RightsTests.receipts(
                    "shown()",
                    """
                    create function team.shown() returns setof team.receipts stable
                    begin atomic select * from team.receipts; end
                    """) + "grant update on team.receipts to LOGIN", "update in team.receipts"),
            Case(
                "a trigger in place of the view",
                """
                create function team.swallow() returns trigger language plpgsql security definer
                as 'begin delete from team.receipts; return null; end';
                create trigger swallow instead of insert on reconcile.stored_receipts
                for each row execute function team.swallow();
                grant insert on reconcile.stored_receipts to LOGIN;
                """, "postgres, which owns team.receipts"),
        ])
    func tooMany(example: Case) async throws {
        try await TestDatabase.with(.views) { test in
            try await asLogin(test, example.sql) { database in
                let error = try await databaseError {
                    try await database.privileges.checkReadOnlyRole()
                }
                let sentence = Self.named(example.sentence, in: test)
                #expect(error.description.contains(sentence), "\(error)")
                #expect(error.description.hasSuffix("or add --allow-writable-role."))
            }
        }
    }

    @Test(
        "A role that can only read, or write elsewhere, is accepted",
        arguments: [
            Case("no more than it needs", "", ""),
            Case("another table", "grant all on team.products, team.apps to LOGIN", ""),
            Case("reading", "grant select on team.receipts, team.entitlements to LOGIN", ""),
            Case(
                "the owner of the views, who may only read beneath",
                """
                grant select on team.receipts, team.entitlements to GROUP;
                grant usage on schema team to GROUP; grant create on schema reconcile to GROUP;
                alter view reconcile.stored_receipts owner to GROUP;
                alter view reconcile.stored_entitlements owner to GROUP;
                """, ""),
        ])
    func none(example: Case) async throws {
        try await TestDatabase.with(.views) { test in
            try await asLogin(test, example.sql) { database in
                let sentences = try await database.privileges.checkReadOnlyRole()
                #expect(sentences == [])
            }
        }
    }

    @Test("A function that hides which tables it reads is reported as not checked")
    func hidden() async throws {
        let function = """
            create function team.shown() returns table (
                id text, who text, bundle text, data text, at timestamptz
            ) language sql stable as 'select * from team.receipts'
            """
        try await TestDatabase.with(.views) { test in
            let sql =
                Self.receipts("shown()", function) + "grant update on team.receipts to LOGIN;"
            try await asLogin(test, sql) { database in
                let sentences = try await database.privileges.checkReadOnlyRole()
                #expect(sentences.count == 1)
                #expect(sentences.first?.contains("calls function team.shown, so") == true)
            }
        }
    }

    @Test("A role that lacks a privilege on a view or a table of the job is refused")
    func tooFew() async throws {
        try await TestDatabase.with(.views) { test in
            let sql = """
                revoke all on all tables in schema reconcile from reconcile_job;
                grant select on reconcile.catalog_apps to LOGIN;
                """
            try await asLogin(test, sql) { database in
                let error = try await databaseError { try await database.privileges.checkNeeded() }
                guard case .accessDenied(let why) = error.reason else { throw error }
                // The check must cover every table that the migrations create.
                let relations = try await test.texts(
                    """
                    select oid::regclass::text from pg_class
                    where relnamespace = 'reconcile'::regnamespace and relkind in ('r', 'v')
                    """
                ).compactMap(\.self)
                for relation in relations {
                    let isReadable = relation == "reconcile.catalog_apps"
                    #expect(why.contains(relation) != isReadable, "\(relation)")
                }
                #expect(why.contains("nor to insert into reconcile.acceptance, reconcile.batch"))
                #expect(error.description.contains("run reconcile-job migrate --roles apply as"))
            }
        }
    }

    /// Makes `stored_receipts` a view over `source`, which `sql` creates.
    private static func receipts(_ source: String, _ sql: String) -> String {
        """
        \(sql);
        drop view reconcile.stored_receipts;
        create view reconcile.stored_receipts as
        select id as receipt_id, who as user_id, bundle as bundle_id, data as receipt_data,
            at as stored_at from team.\(source);

        """
    }

    private static let partitions = """
        create table team.parted (
            id text, who text collate "en-x-icu", bundle text, data text, at timestamptz
        ) partition by list (bundle);
        create table team.rest partition of team.parted default
        """

    private static func named(_ text: String, in test: TestDatabase) -> String {
        text.replacing("LOGIN", with: test.name).replacing("GROUP", with: "group_\(test.name)")
    }

    private func asLogin(
        _ test: TestDatabase, _ sql: String, _ body: (Database) async throws -> Void
    ) async throws {
        let roles = """
            create role GROUP; create role LOGIN login;
            grant reconcile_job, GROUP to LOGIN;
            """
        try await test.execute(SQL.roles.text + Self.named(roles + sql, in: test))
        let database = try await Database.connect(test.url(user: test.name), connections: 1)
        try await body(database)
        await database.close()
        let end = "drop owned by LOGIN, GROUP cascade; drop role LOGIN, GROUP"
        try await test.execute(Self.named(end, in: test))
    }
}
