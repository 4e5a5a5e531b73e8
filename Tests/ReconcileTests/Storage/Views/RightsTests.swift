internal import SQL
internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Privileges of the session's role", .database)
struct RightsTests: DatabaseSuite {
    /// SQL that gives a role too much, and what is said of it. To add a case, copy one.
    struct Excess: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: ReceiptSource
        let sql: @Sendable (TestRoles) -> String
        let sentence: @Sendable (TestRoles) -> String

        init(
            _ title: String, over source: ReceiptSource = .table,
            _ sql: @escaping @Sendable (TestRoles) -> String,
            says sentence: @escaping @Sendable (TestRoles) -> String
        ) {
            testDescription = title
            self.source = source
            self.sql = sql
            self.sentence = sentence
        }
    }

    private static let onTables = [
        Excess("insert and delete") {
            "grant insert, delete on team.receipts to \($0.login)"
        } says: {
            "role \($0.login) may insert, delete in team.receipts"
        },
        Excess("truncate") {
            "grant truncate on team.entitlements to \($0.login)"
        } says: {
            "role \($0.login) may truncate in team.entitlements"
        },
        Excess("granted to public") { _ in
            "grant delete on team.receipts to public"
        } says: {
            "role \($0.login) may delete in team.receipts"
        },
        Excess("granted to a role that it is a member of") {
            "grant update on team.receipts to \($0.group)"
        } says: {
            "role \($0.login) may update in team.receipts"
        },
        Excess("a trigger") {
            "grant trigger on team.receipts to \($0.login)"
        } says: {
            "role \($0.login) may trigger in team.receipts"
        },
        Excess("one column") {
            "grant update (data) on team.receipts to \($0.login)"
        } says: {
            "role \($0.login) may update in team.receipts"
        },
        Excess("a child table") {
            """
            create table team.more () inherits (team.receipts);
            grant delete on team.more to \($0.login)
            """
        } says: {
            "role \($0.login) may delete in team.more"
        },
        Excess("a role that it may become") {
            "alter role \($0.login) noinherit; grant update on team.receipts to \($0.group)"
        } says: {
            "role \($0.group) may update in team.receipts"
        },
        Excess("the owner of a table") {
            "alter table team.entitlements owner to \($0.login)"
        } says: {
            "role \($0.login) owns team.entitlements"
        },
        Excess("a member of an owner without privileges") {
            """
            alter table team.entitlements owner to \($0.group);
            revoke all on team.entitlements from \($0.group)
            """
        } says: {
            "role \($0.group) owns team.entitlements"
        },
    ]

    private static let belowViews = [
        Excess("a table under a view under the view", over: .nestedView) {
            "grant update on team.receipts to \($0.login)"
        } says: {
            "role \($0.login) may update in team.receipts"
        },
        Excess("a view under the view", over: .nestedView) {
            "grant update on team.nested to \($0.login)"
        } says: {
            "role \($0.login) may update in team.nested"
        },
        Excess("a table under a materialized view", over: .materializedView) {
            "grant delete on team.receipts to \($0.login)"
        } says: {
            "role \($0.login) may delete in team.receipts"
        },
        Excess("a partition", over: .partitionedTable) {
            "grant insert on team.rest to \($0.login)"
        } says: {
            "role \($0.login) may insert in team.rest"
        },
        Excess("the parent of a partition", over: .partition) {
            "grant insert on team.parted to \($0.login)"
        } says: {
            "role \($0.login) may insert in team.parted"
        },
        Excess("a foreign table", over: .foreignTable) {
            "grant insert on team.afar to \($0.login)"
        } says: {
            "role \($0.login) may insert in team.afar"
        },
        Excess("a table in a function whose body is parsed", over: .parsedFunction) {
            "grant update on team.receipts to \($0.login)"
        } says: {
            "role \($0.login) may update in team.receipts"
        },
    ]

    private static let ofRoles = [
        Excess("a predefined role that writes") {
            "grant pg_write_all_data to \($0.login)"
        } says: {
            "role \($0.login) may insert, update, delete in team.receipts"
        },
        Excess("a superuser") {
            "alter role \($0.login) superuser"
        } says: {
            "role \($0.login) is a superuser: it could change"
        },
        Excess("a member of a superuser") {
            "alter role \($0.group) superuser"
        } says: {
            "role \($0.group) is a superuser: it could change"
        },
        Excess("may create roles") {
            "alter role \($0.login) createrole"
        } says: {
            "role \($0.login) may create roles"
        },
        Excess("may write files") {
            "grant pg_write_server_files to \($0.login)"
        } says: { _ in
            "role pg_write_server_files may use the server's files or programs"
        },
        Excess("may start programs, by another role") {
            "grant pg_execute_server_program to \($0.group)"
        } says: { _ in
            "role pg_execute_server_program may use the server's files or programs"
        },
    ]

    private static let byViews = [
        Excess("may insert into the view") {
            "grant insert on reconcile.stored_receipts to \($0.login)"
        } says: { _ in
            """
            By its privilege to write to reconcile.stored_receipts, the database \
            role acts as postgres, which owns team.receipts
            """
        },
        Excess("may update a column of the view, by another role") {
            "grant update (receipt_data) on reconcile.stored_receipts to \($0.group)"
        } says: { _ in
            "By its privilege to write to reconcile.stored_receipts"
        },
        Excess("may insert into the view, and a trigger deletes") {
            """
            create function team.swallow() returns trigger language plpgsql security definer as
                'begin delete from team.receipts; return null; end';
            create trigger swallow instead of insert on reconcile.stored_receipts
                for each row execute function team.swallow();
            grant insert on reconcile.stored_receipts to \($0.login)
            """
        } says: { _ in
            "postgres, which owns team.receipts"
        },
    ]

    @Test(
        "A role that could write under a view, or become one that does, is refused",
        arguments: onTables + belowViews + ofRoles + byViews)
    func refused(excess: Excess) async throws {
        let sentence = Shared("")
        try await asMember(over: excess.source) { roles in
            sentence.update { $0 = excess.sentence(roles) }
            return excess.sql(roles)
        } _: { database in
            let error = try await databaseError(database.privileges.checkReadOnlyRole)
            #expect(error.description.contains(sentence.current), "\(error)")
            #expect(error.description.hasSuffix("or add --allow-writable-role."))
        }
    }

    @Test(
        "A role that can only read, or write elsewhere, is accepted",
        arguments: [
            RoleSetup("without privileges of its own") { _ in "" },
            RoleSetup("may write to tables that no view of receipts or entitlements reads") {
                "grant all on team.products, team.apps to \($0.login)"
            },
            RoleSetup("may read the tables") {
                "grant select on team.receipts, team.entitlements to \($0.login)"
            },
            RoleSetup("is a member of the owner of the views, who may only read under them") {
                """
                grant select on team.receipts, team.entitlements to \($0.group);
                grant usage on schema team to \($0.group);
                grant create on schema reconcile to \($0.group);
                alter view reconcile.stored_receipts owner to \($0.group);
                alter view reconcile.stored_entitlements owner to \($0.group);
                """
            },
        ])
    func accepted(setup: RoleSetup) async throws {
        try await asMember(setup.sql) { database in
            let notChecked = try await database.privileges.checkReadOnlyRole()
            #expect(notChecked == [])
        }
    }

    @Test("A function that hides which tables it reads is reported as not checked")
    func hidden() async throws {
        try await asMember(over: .opaqueFunction) {
            "grant update on team.receipts to \($0.login)"
        } _: { database in
            let sentences = try await database.privileges.checkReadOnlyRole()
            #expect(sentences.count == 1)
            #expect(sentences.first?.contains("calls function team.shown, so") == true)
        }
    }

    @Test("A role that lacks a privilege on a view or a table of the job is refused")
    func tooFew() async throws {
        let readable = "reconcile.catalog_apps"
        try await asMember { roles in
            """
            revoke all on all tables in schema reconcile from reconcile_job;
            grant select on \(readable) to \(roles.login)
            """
        } _: { database in
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

    private func asMember(
        over source: ReceiptSource = .table, _ sql: @escaping (TestRoles) -> String,
        _ body: (Database) async throws -> Void
    ) async throws {
        try await execute(SQL.roles.text)
        try await execute(source.sql)
        let grant = { (roles: TestRoles) in
            "grant reconcile_job, \(roles.group) to \(roles.login); " + sql(roles)
        }
        try await asLogin(grant, body)
    }
}
