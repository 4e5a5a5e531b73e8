import Testing

@testable import Reconcile
@testable import TestSupport

/// What another session does to the tables below the views, in a transaction that it commits while
/// a batch waits to be read.
struct Reload: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Makes the tables that `change` needs, before the batch is read.
    let preparation: String
    let change: String

    init(_ description: String, after preparation: String = "", _ change: String) {
        testDescription = description
        self.preparation = preparation
        self.change = change
    }

    static func truncating(_ table: String) -> String {
        "create temp table kept as table \(table); truncate \(table);"
            + "insert into \(table) table kept"
    }

    static func entitlements(of relation: String, _ options: String = "") -> String {
        """
        create or replace view reconcile.stored_entitlements \(options) as select
            id as entitlement_id, who as user_id, product as product_id,
            chain as original_transaction_id, active as is_active, expires as expires_at,
            renews as auto_renew, ownership, source, at as updated_at from \(relation);
        """
    }

    static let all = [
        Reload("truncated entitlements", truncating("team.entitlements")),
        Reload("truncated receipts", truncating("team.receipts")),
        Reload(
            "a table that is rewritten",
            "alter table team.entitlements add column z float8 default random()"),
        Reload(
            "a view over a new table, the old one emptied",
            "create table team.new as table team.entitlements;" + entitlements(of: "team.new")
                + "truncate team.entitlements"),
        Reload(
            "a view that is dropped and created",
            "drop view reconcile.stored_entitlements;" + entitlements(of: "team.entitlements")),
        Reload(
            "a table that is replaced under its name",
            "create table team.new as table team.entitlements; truncate team.entitlements;"
                + "alter table team.entitlements rename to old;"
                + "alter table team.new rename to entitlements;"
                + entitlements(of: "team.entitlements")),
        Reload(
            "a truncated table below a view below the view",
            after: "create view team.granted as table team.entitlements;"
                + entitlements(of: "team.granted"), truncating("team.entitlements")),
        Reload(
            "a truncated table below a view with the reader's privileges",
            after: entitlements(of: "team.entitlements", "with (security_invoker)"),
            truncating("team.entitlements")),
        Reload("a swapped partition", after: partitioned, swap),
        Reload("a truncated partition", after: partitioned, truncating("team.first")),
        Reload(
            "a materialized view that is refreshed",
            after: "create materialized view team.copied as table team.entitlements;"
                + entitlements(of: "team.copied"), "refresh materialized view team.copied"),
    ]

    private static let partitioned = """
        create table team.parted (like team.entitlements) partition by range (who);
        create table team.first partition of team.parted for values from (minvalue) to ('b');
        create table team.rest partition of team.parted default;
        insert into team.parted table team.entitlements;
        """ + entitlements(of: "team.parted")
    private static let swap = """
        create table team.new as table team.first;
        alter table team.parted detach partition team.first;
        truncate team.first;
        alter table team.parted attach partition team.new for values from (minvalue) to ('b')
        """
}

/// To add a case: a `Reload` with the SQL that runs meanwhile; or a `RoleSetup` with the SQL that
/// makes a role which may only read the views.
@Suite("A batch that is read while a table is reloaded", .database, .hangLimit)
struct ReloadTests: DatabaseSuite {
    private let batch = Batch(number: 1, users: ClosedUserRange(first: "ann", last: "bob"))

    @Test("Every row is read, as if nothing had happened", arguments: Reload.all)
    func whole(reload: Reload) async throws {
        try await store(["r1": "ann", "r2": "bob"])
        try await test.store(entitlement: "e1", of: "ann")
        try await test.store(entitlement: "e2", of: "bob")
        try await execute(reload.preparation)
        let reader = try await reader()
        // The second reading prepares the statements' plans.
        for _ in 1...2 { _ = try await reader.database.portions(of: batch) }
        let team = try await session()
        try await team.script("begin; " + reload.change)
        reader.attempts.update { $0 = 0 }
        async let portions = reader.database.portions(of: batch)
        try await untilBlocked(reader)
        try await team.script("commit")
        let users = try await portions.flatMap(\.users)
        #expect(users.map(\.user) == ["ann", "bob"])
        #expect(users.flatMap(\.entitlements).map(\.id) == ["e1", "e2"])
        #expect(users.flatMap(\.receipts).map(\.id) == ["r1", "r2"])
    }

    @Test(
        "A role that may only read the views takes the locks",
        arguments: [
            RoleSetup("the views are of the owner of the tables") { _ in "" },
            RoleSetup("a view has the privileges of the reader") { roles in
                """
                alter view reconcile.stored_entitlements set (security_invoker);
                grant usage on schema team to \(roles.login);
                grant select on team.entitlements to \(roles.login)
                """
            },
        ])
    func plainRole(setup: RoleSetup) async throws {
        try await test.store(entitlement: "e1", of: "ann")
        try await asLogin { roles in
            """
            grant usage on schema reconcile to \(roles.login);
            grant select on all tables in schema reconcile to \(roles.login);
            """ + setup.sql(roles)
        } _: { _ in
            let reader = try await reader(as: test.name)
            let team = try await session()
            try await team.script("begin; " + Reload.truncating("team.entitlements"))
            async let portions = reader.database.portions(of: batch)
            try await untilBlocked(reader)
            try await team.script("commit")
            #expect(try await portions.flatMap(\.users).flatMap(\.entitlements).map(\.id) == ["e1"])
        }
    }

    @Test("The team may lock its tables in any order: no session is in a deadlock")
    func deadlock() async throws {
        try await store(["r1": "ann"])
        try await test.store(entitlement: "e1", of: "ann")
        let reader = try await reader()
        let team = try await session()
        try await team.script("begin; lock table team.receipts")
        async let portions = reader.database.portions(of: batch)
        try await untilBlocked(reader)
        // The reader must not have kept the lock of the other table.
        try await team.script("lock table team.entitlements; commit")
        let users = try await portions.flatMap(\.users)
        #expect(users.flatMap(\.entitlements).map(\.id) == ["e1"])
        #expect(users.flatMap(\.receipts).map(\.id) == ["r1"])
    }

    @Test("A count takes its snapshot after its locks, whatever isolation level the server sets")
    func count() async throws {
        try await store(["r1": "ann", "r2": "bob"])
        try await execute(
            "alter database \(test.name) set default_transaction_isolation = 'repeatable read'")
        let reader = try await connect()
        let team = try await session()
        try await team.script("begin; " + Reload.truncating("team.receipts"))
        async let plan = reader.planner.plan(.everything, usersPerBatch: 9)
        try await untilBlocked(Reader(database: reader, attempts: Shared(0)))
        try await team.script("commit")
        #expect(try await plan.users == 2)
    }

    @Test("Many users that a moment hid from a table that is not locked are read after all")
    func readAgain() async throws {
        // The table that a function reads cannot be locked in advance.
        try await execute(
            "create function team.granted() returns setof team.entitlements language sql stable"
                + " as 'table team.entitlements';" + Reload.entitlements(of: "team.granted()"))
        let names = (10...30).map { "user\($0)" }
        for name in names { try await test.store(entitlement: "e-\(name)", of: name) }
        let batch = Batch(
            number: 1, users: ClosedUserRange(first: "user10", last: "user30"),
            planned: ViewCounts(users: 21, receipts: 0, entitlements: 21))
        let reader = try await reader()
        let team = try await session()
        try await team.script("begin; " + Reload.truncating("team.entitlements"))
        async let portions = reader.database.portions(of: batch)
        try await untilBlocked(reader)
        try await team.script("commit")
        #expect(try await portions.flatMap(\.users).map(\.user.text) == names)
    }

    @Test("Rows that a moment hid are read after all, though their users show by receipts")
    func readRowsAgain() async throws {
        try await execute(
            "create function team.granted() returns setof team.entitlements language sql stable"
                + " as 'table team.entitlements';" + Reload.entitlements(of: "team.granted()"))
        try await store(["r1": "ann", "r2": "bob"])
        try await test.store(entitlement: "e1", of: "ann")
        try await test.store(entitlement: "e2", of: "bob")
        let batch = Batch(
            number: 1, users: self.batch.users,
            planned: ViewCounts(users: 2, receipts: 2, entitlements: 2))
        let reader = try await reader()
        let team = try await session()
        try await team.script("begin; " + Reload.truncating("team.entitlements"))
        async let portions = reader.database.portions(of: batch)
        try await untilBlocked(reader)
        try await team.script("commit")
        let users = try await portions.flatMap(\.users)
        #expect(users.flatMap(\.entitlements).map(\.id) == ["e1", "e2"])
    }

    @Test("The team's DDL need not wait once a batch is read")
    func released() async throws {
        _ = try await database.portions(of: batch)
        let team = try await session()
        try await team.script("begin; lock table team.receipts, team.entitlements nowait; commit")
    }

    // MARK: Locks that last

    @Test("A batch whose views stay locked is put back")
    func putBack() async throws {
        let team = try await session()
        try await team.script("begin; lock table team.receipts")
        let retry = DatabaseRetry(lockWait: .milliseconds(1)) { _ in }
        let portion = try await database.with(retry: retry).batches.portion(
            of: batch, after: nil, excluding: [], in: .test())
        #expect(portion == nil)
    }

    @Test("Views that stay locked end the run, and are named with the session that locks them")
    func givesUp() async throws {
        let team = try await session()
        try await team.script(
            "set application_name = 'nightly import'; begin; lock table team.entitlements")
        let retry = DatabaseRetry(giveUpAfter: .milliseconds(1)) { _ in }
        let error = try await databaseError {
            try await database.with(retry: retry).portions(of: batch)
        }
        let words = error.description
        #expect(words.hasPrefix("reconcile.stored_entitlements cannot be read while process "))
        #expect(words.contains("(role postgres, application nightly import)"))
        #expect(words.contains("locks team.entitlements (lock_views)"))
        #expect(words.hasSuffix("Then give the same command again."))
    }

    // MARK: A reader

    private struct Reader {
        let database: Database
        /// How often it sent a statement that names the view of the entitlements.
        let attempts: Shared<Int>
    }

    private func reader(as user: String? = nil) async throws -> Reader {
        let proxy = try FaultProxy(before: test.url)
        let attempts = Shared(0)
        proxy.before("reconcile.stored_entitlements".utf8) { _ in attempts.update { $0 += 1 } }
        let database = try await connect(as: user, through: proxy)
            .with(retry: DatabaseRetry { _ in })
        return Reader(database: database, attempts: attempts)
    }

    /// Returns when the reader waits for a lock, or has tried to get it several times.
    private func untilBlocked(_ reader: Reader) async throws {
        let watcher = try await session()
        let waits =
            "select count(*)::text as value from pg_sleep(0.005), pg_locks where not granted"
            + " and database = (select oid from pg_database where datname = current_database())"
        while reader.attempts.current < 3, try await watcher.texts(waits) == ["0"] {
            try Task.checkCancellation()
        }
    }
}
