internal import SQL
internal import Testing

@testable import Reconcile
@testable import TestSupport

/// `LOGIN` is the session's role, `GROUP` a role that it is a member of.
@Suite("Privileges of the session's role", .database)
struct RightsTests: DatabaseSuite {
    @Test(
        "A role that could write to any table under the views is refused",
        arguments: [
            (
                "grant insert, delete on team.receipts to LOGIN",
                "The database role LOGIN may insert, delete in team.receipts"
            ),
            (
                "grant truncate on team.entitlements to LOGIN",
                "LOGIN may truncate in team.entitlements"
            ),
            ("grant update (data) on team.receipts to LOGIN", "LOGIN may update in team.receipts"),
            ("grant delete on team.receipts to public", "LOGIN may delete in team.receipts"),
            ("grant update on team.receipts to GROUP", "LOGIN may update in team.receipts"),
            // A right of a group's that it would have to become.
            (
                "alter role LOGIN noinherit; grant update on team.receipts to GROUP",
                "The database role GROUP may update in team.receipts"
            ),
            (
                "grant pg_write_all_data to LOGIN",
                "LOGIN may insert, update, delete in team.receipts"
            ),
            ("alter table team.entitlements owner to LOGIN", "LOGIN owns team.entitlements"),
            // The owner has no right left.
            (
                """
                alter table team.entitlements owner to GROUP;
                revoke all on team.entitlements from GROUP;
                """, "LOGIN owns team.entitlements"
            ),
            (
                "alter role LOGIN superuser",
                "The database role LOGIN is a superuser: it could change"
            ),
            (
                "alter role GROUP superuser",
                "The database role GROUP is a superuser: it could change"
            ),
            ("grant trigger on team.receipts to LOGIN", "LOGIN may trigger in team.receipts"),
            ("alter role LOGIN createrole", "The database role LOGIN may create roles"),
            ("alter role GROUP createrole", "The database role GROUP may create roles"),
            (
                "grant pg_write_server_files to LOGIN",
                "The database role pg_write_server_files may use the server's files or programs"
            ),
            (
                "grant pg_execute_server_program to GROUP",
                "pg_execute_server_program may use the server's files or programs"
            ),
            // A right on the view, which its owner carries out.
            (
                "grant insert on reconcile.stored_receipts to LOGIN",
                """
                By its privilege to write to reconcile.stored_receipts, the database role acts as \
                postgres, which owns team.receipts
                """
            ),
            (
                "grant update (receipt_data) on reconcile.stored_receipts to GROUP",
                "By its privilege to write to reconcile.stored_receipts"
            ),
            (
                over("nested", "create view team.nested as table team.receipts")
                    + "grant update on team.receipts to LOGIN", "update in team.receipts"
            ),
            (
                over("nested", "create view team.nested as table team.receipts")
                    + "grant update on team.nested to LOGIN", "update in team.nested"
            ),
            (
                over("kept", "create materialized view team.kept as table team.receipts")
                    + "grant delete on team.receipts to LOGIN", "delete in team.receipts"
            ),
            // A partition, and the parent of one.
            (
                over("parted", partitions) + "grant insert on team.rest to LOGIN",
                "insert in team.rest"
            ),
            (
                over("rest", partitions) + "grant insert on team.parted to LOGIN",
                "insert in team.parted"
            ),
            (
                """
                create table team.more () inherits (team.receipts);
                grant delete on team.more to LOGIN
                """, "delete in team.more"
            ),
            (
                """
                create foreign data wrapper nowhere;
                create server afar foreign data wrapper nowhere;
                """ + over("afar", "create foreign table team.afar (\(columns)) server afar")
                    + "grant insert on team.afar to LOGIN", "insert in team.afar"
            ),
            // A function that is parsed.
            (
                over(
                    "shown()",
                    """
                    create function team.shown() returns setof team.receipts stable
                    begin atomic select * from team.receipts; end
                    """) + "grant update on team.receipts to LOGIN", "update in team.receipts"
            ),
            // A trigger in place of the view.
            (
                """
                create function team.swallow() returns trigger language plpgsql security definer
                as 'begin delete from team.receipts; return null; end';
                create trigger swallow instead of insert on reconcile.stored_receipts
                for each row execute function team.swallow();
                grant insert on reconcile.stored_receipts to LOGIN;
                """, "postgres, which owns team.receipts"
            ),
        ])
    func tooMany(sql: String, sentence: String) async throws {
        try await asMember(sql) { database in
            let error = try await databaseError {
                try await database.privileges.checkReadOnlyRole()
            }
            #expect(error.description.contains(named(sentence)), "\(error)")
            #expect(error.description.hasSuffix("or add --allow-writable-role."))
        }
    }

    @Test(
        "A role that can only read, or write elsewhere, is accepted, but for what is hidden",
        arguments: [
            ("", nil), ("grant all on team.products, team.apps to LOGIN", nil),
            ("grant select on team.receipts, team.entitlements to LOGIN", nil),
            // The owner of the views may only read beneath.
            (
                """
                grant select on team.receipts, team.entitlements to GROUP;
                grant usage on schema team to GROUP; grant create on schema reconcile to GROUP;
                alter view reconcile.stored_receipts owner to GROUP;
                alter view reconcile.stored_entitlements owner to GROUP;
                """, nil
            ),
            // A function that hides which tables it reads is reported as not checked.
            (
                over(
                    "shown()",
                    """
                    create function team.shown() returns table (
                        id text, who text, bundle text, data text, at timestamptz
                    ) language sql stable as 'select * from team.receipts'
                    """) + "grant update on team.receipts to LOGIN;",
                "calls function team.shown, so"
            ),
        ] as [(String, String?)])
    func accepted(sql: String, unchecked: String?) async throws {
        try await asMember(sql) { database in
            let sentences = try await database.privileges.checkReadOnlyRole()
            #expect(sentences.count == (unchecked == nil ? 0 : 1))
            if let unchecked { #expect(sentences.first?.contains(unchecked) == true) }
        }
    }

    @Test("A role that lacks a privilege on a view or a table of the job is refused")
    func tooFew() async throws {
        let sql = """
            revoke all on all tables in schema reconcile from reconcile_job;
            grant select on reconcile.catalog_apps to LOGIN;
            """
        try await asMember(sql) { database in
            let error = try await databaseError { try await database.privileges.checkNeeded() }
            guard case .accessDenied(let why) = error.reason else { throw error }
            // The check must cover every table that the migrations create.
            let relations = try await texts(
                """
                select oid::regclass::text from pg_class
                where relnamespace = 'reconcile'::regnamespace and relkind in ('r', 'v')
                """)
            for relation in relations.compactMap(\.self) {
                let isReadable = relation == "reconcile.catalog_apps"
                #expect(why.contains(relation) != isReadable, "\(relation)")
            }
            #expect(why.contains("nor to insert into reconcile.acceptance, reconcile.batch"))
            #expect(error.description.contains("run reconcile-job migrate --roles apply as"))
        }
    }

    /// Makes `stored_receipts` a view over `source`, which `sql` creates.
    private static func over(_ source: String, _ sql: String) -> String {
        """
        \(sql);
        drop view reconcile.stored_receipts;
        create view reconcile.stored_receipts as
        select id as receipt_id, who as user_id, bundle as bundle_id, data as receipt_data,
            at as stored_at from team.\(source);

        """
    }

    private static let columns =
        #"id text, who text collate "en-x-icu", bundle text, data text, at timestamptz"#
    private static let partitions = """
        create table team.parted (\(columns)) partition by list (bundle);
        create table team.rest partition of team.parted default
        """

    private func asMember(
        _ sql: String, _ body: (Database) async throws -> Void
    ) async throws {
        try await execute(SQL.roles.text)
        try await asLogin("grant reconcile_job, GROUP to LOGIN; " + sql, body)
    }
}
