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
            granting("insert, delete", "team.receipts"), granting("truncate", "team.entitlements"),
            granting("delete", "team.receipts", to: "public"),
            granting("update", "team.receipts", to: "GROUP"), granting("trigger", "team.receipts"),
            ("grant update (data) on team.receipts to LOGIN", "LOGIN may update in team.receipts"),
            // A right of a group's that it would have to become.
            (
                "alter role LOGIN noinherit; grant update on team.receipts to GROUP",
                "GROUP may update in team.receipts"
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
                """, "GROUP owns team.entitlements"
            ),
            ("alter role LOGIN superuser", "LOGIN is a superuser: it could change"),
            ("alter role GROUP superuser", "GROUP is a superuser: it could change"),
            ("alter role LOGIN createrole", "LOGIN may create roles"),
            ("alter role GROUP createrole", "GROUP may create roles"),
            (
                "grant pg_write_server_files to LOGIN",
                "pg_write_server_files may use the server's files or programs"
            ),
            (
                "grant pg_execute_server_program to GROUP",
                "pg_execute_server_program may use the server's files or programs"
            ),
            granting("update", "team.receipts", after: over("nested", nested)),
            granting("update", "team.nested", after: over("nested", nested)),
            granting(
                "delete", "team.receipts",
                after: over("kept", "create materialized view team.kept as table team.receipts")),
            // A partition, and the parent of one.
            granting("insert", "team.rest", after: over("parted", partitions)),
            granting("insert", "team.parted", after: over("rest", partitions)),
            granting(
                "delete", "team.more", after: "create table team.more () inherits (team.receipts);"
            ),
            granting(
                "insert", "team.afar",
                after: """
                    create foreign data wrapper nowhere;
                    create server afar foreign data wrapper nowhere;
                    """ + over("afar", "create foreign table team.afar (\(columns)) server afar")),
            // A function that is parsed.
            granting(
                "update", "team.receipts",
                after: over(
                    "shown()",
                    """
                    create function team.shown() returns setof team.receipts stable
                    begin atomic select * from team.receipts; end
                    """)),
        ])
    func tooMany(sql: String, sentence: String) async throws {
        try await expectRefused(sql, "The database role " + sentence)
    }

    @Test(
        "A role that could write to a view whose owner may write beneath is refused",
        arguments: [
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
    func throughView(sql: String, sentence: String) async throws {
        try await expectRefused(sql, sentence)
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

    private func expectRefused(_ sql: String, _ sentence: String) async throws {
        try await asMember(sql) { database in
            let error = try await databaseError {
                try await database.privileges.checkReadOnlyRole()
            }
            #expect(error.description.contains(named(sentence)), "\(error)")
            #expect(error.description.hasSuffix("or add --allow-writable-role."))
        }
    }

    /// A grant, and the sentence about it.
    private static func granting(
        _ privileges: String, _ table: String, to role: String = "LOGIN", after sql: String = ""
    ) -> (String, String) {
        (
            "\(sql)grant \(privileges) on \(table) to \(role)",
            "LOGIN may \(privileges) in \(table)"
        )
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
    private static let nested = "create view team.nested as table team.receipts"
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
