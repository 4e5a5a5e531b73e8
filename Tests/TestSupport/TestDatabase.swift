internal import Glibc
internal import Testing

@testable import Reconcile

/// A database for one test, on the server of `RECONCILE_TEST_DATABASE`: the URL of a superuser,
/// which `scripts/postgres` prints. Without it the test fails.
struct TestDatabase {
    enum Contents {
        case nothing
        /// The job's own tables.
        case ownTables
        /// The job's own tables, the team's tables in schema `team`, and the five views.
        case views
    }

    struct MissingServer: Error, CustomStringConvertible {
        let description =
            "RECONCILE_TEST_DATABASE is not set. Run the tests through scripts/postgres with …"
    }

    let name: String
    /// A superuser's URL.
    let url: String

    /// Creates a database for `body`, and drops it afterwards. Few exist at a time, so that on a
    /// slow machine a test's short time-outs are not used up by hundreds of other tests.
    static func with<T>(
        _ contents: Contents, _ body: (TestDatabase) async throws -> T
    ) async throws -> T {
        try await Places.shared.occupied { try await made(contents, body) }
    }

    private static func made<T>(
        _ contents: Contents, _ body: (TestDatabase) async throws -> T
    ) async throws -> T {
        let name = "test_\(UInt64.random(in: .min ... .max))"
        let template: String
        switch contents {
        case .nothing: template = "template0"
        case .ownTables: template = try await ownTablesTemplate.value
        case .views: template = try await viewsTemplate.value
        }
        try await onServer("create database \(name) template \(template)")
        let outcome: Result<T, any Error>
        do {
            outcome = .success(try await body(TestDatabase(name: name, url: try url(of: name))))
        } catch {
            outcome = .failure(error)
        }
        try await onServer("drop database \(name) with (force)")
        return try outcome.get()
    }

    static func connected<T>(
        _ contents: Contents = .views, _ body: (TestDatabase, Database) async throws -> T
    ) async throws -> T {
        try await with(contents) { test in
            let database = try await Database.connect(test.url, connections: 3)
            let value = try await body(test, database)
            await database.close()
            return value
        }
    }

    func execute(_ sql: String) async throws {
        try await Self.execute(sql, at: url)
    }

    /// The first column of what `sql` returns, as text.
    func texts(_ sql: String) async throws -> [String?] {
        let connection = PostgresConnection()
        try await connection.open(url)
        // The test need not name the column.
        let isPlan = sql.hasPrefix("explain")
        let column: StaticString = isPlan ? "QUERY PLAN" : "value"
        let text = isPlan ? sql : "with t (value) as (\n\(sql)\n) select value from t"
        let texts = try await connection.query(PostgresStatement(name: "test", text: text)) {
            row in try row.optionalText(column)
        }
        await connection.close()
        return texts
    }

    /// The URL with another user and password.
    func url(user: String, password: String? = nil) -> String {
        let login = password.map { "\(user):\($0)" } ?? user
        return url.replacing("postgres@", with: "\(login)@", maxReplacements: 1)
    }

    static func serverURL() throws -> String {
        guard let url = getenv("RECONCILE_TEST_DATABASE") else { throw MissingServer() }
        return String(cString: url)
    }

    private static func url(of database: String) throws -> String {
        let server = try serverURL()
        return String(server.prefix(through: server.lastIndex(of: "/") ?? server.startIndex))
            + database
    }

    static func onServer(_ sql: String) async throws {
        try await execute(sql, at: try serverURL())
    }

    private static func execute(_ sql: String, at url: String) async throws {
        let connection = PostgresConnection()
        try await connection.open(url)
        try await connection.executeScript(PostgresStatement(name: "test", text: sql))
        await connection.close()
    }

    private static let ownTablesTemplate = Task {
        let name = "template_own_\(getpid())"
        try await onServer("create database \(name) template template0")
        let database = try await Database.connect(try url(of: name), connections: 1)
        _ = try await database.schema.migrate()
        await database.close()
        return name
    }

    private static let viewsTemplate = Task {
        let name = "template_views_\(getpid())"
        try await onServer(
            "create database \(name) template \(try await ownTablesTemplate.value)")
        try await execute(teamTables + teamViews, at: try url(of: name))
        return name
    }
}

extension TestDatabase {
    /// A team's own tables. Users are sorted in an ICU collation, so that nothing relies on byte
    /// order.
    static let teamTables = """
        create schema team;
        create table team.receipts (
            id text, who text collate "en-x-icu", bundle text, data text, at timestamptz);
        create table team.entitlements (
            id text, who text collate "en-x-icu", product text, chain text, active boolean,
            expires timestamptz, renews boolean, ownership text, source text, at timestamptz);
        create table team.products (
            id text, kind text, grp text, level int, access interval, billing interval,
            price numeric, currency text);
        create table team.apps (bundle text, paid text, until timestamptz, premium text);
        create index on team.receipts (who);
        create index on team.entitlements (who);
        """

    static let teamViews = """
        create view reconcile.stored_receipts as
        select id as receipt_id, who as user_id, bundle as bundle_id, data as receipt_data,
            at as stored_at from team.receipts;
        create view reconcile.stored_entitlements as
        select id as entitlement_id, who as user_id, product as product_id,
            chain as original_transaction_id, active as is_active, expires as expires_at,
            renews as auto_renew, ownership, source, at as updated_at from team.entitlements;
        create view reconcile.catalog_products as
        select id as product_id, kind, grp as subscription_group_id, level as service_level,
            access as access_duration, billing as billing_period, price as list_price, currency
        from team.products;
        create view reconcile.catalog_apps as
        select bundle as bundle_id, paid as last_paid_version, until as paid_until,
            premium as premium_product_id from team.apps;
        create view reconcile.stored_download_keys as
        select ''::text as receipt_id, ''::text as product_id, ''::text as remote_product_id,
            ''::text as download_key, now() as expires_at where false;
        """

    func store(receipts: [(id: String, user: String)]) async throws {
        let rows = receipts.map { "('\($0.id)', '\($0.user)', 'app', 'AAAA', '2026-01-01')" }
        try await execute("insert into team.receipts values " + rows.joined(separator: ", "))
    }
}

/// Awaits `operation` and returns the `DatabaseError` that it must throw.
func databaseError(
    _ operation: () async throws -> some Any, sourceLocation: SourceLocation = #_sourceLocation
) async throws -> DatabaseError {
    try #require(
        await #expect(throws: DatabaseError.self, sourceLocation: sourceLocation) {
            _ = try await operation()
        }, sourceLocation: sourceLocation)
}
