internal import Glibc
internal import Testing

@testable import Reconcile

/// A database for one test, on the server of `RECONCILE_TEST_DATABASE`: the URL of a superuser,
/// which `scripts/postgres` prints. Without it the test fails.
struct TestDatabase {
    enum Contents {
        /// `views`: the job's own tables, the team's tables in schema `team`, and the five views.
        case nothing, ownTables, views
    }

    let name: String
    let url: String

    /// Creates a database for `body`, and drops it afterwards. Few exist at a time, so that on a
    /// slow machine a test's short time-outs are not used up by hundreds of other tests.
    static func with<T>(
        _ contents: Contents, _ body: (TestDatabase) async throws -> T
    ) async throws -> T {
        try await ConcurrencyLimit.respected {
            let template =
                switch contents {
                case .nothing: "template0"
                case .ownTables: try await ownTablesTemplate.value
                case .views: try await viewsTemplate.value
                }
            let test = try await created("test_\(UInt64.random(in: .min ... .max))", from: template)
            let outcome: Result<T, any Error>
            do { outcome = .success(try await body(test)) } catch { outcome = .failure(error) }
            try await onServer("drop database \(test.name) with (force)")
            return try outcome.get()
        }
    }

    static func connected<T>(
        _ contents: Contents, _ body: (TestDatabase, Database) async throws -> T
    ) async throws -> T {
        try await with(contents) { test in
            let database = try await Database.connect(test.url, connections: 3)
            let value = try await body(test, database)
            await database.close()
            return value
        }
    }

    func execute(_ sql: String) async throws {
        try await PostgresConnection.opened(url).script(sql)
    }

    /// The first column of what `sql` returns, as text. It need not have a name.
    func texts(_ sql: String) async throws -> [String?] {
        try await PostgresConnection.opened(url)
            .texts("with t (value) as (\n\(sql)\n) select value from t")
    }

    func url(user: String) -> String {
        url.replacing("postgres@", with: "\(user)@", maxReplacements: 1)
    }

    static func serverURL() throws -> String {
        let url = try #require(
            getenv("RECONCILE_TEST_DATABASE"),
            "RECONCILE_TEST_DATABASE is not set. Run the tests through scripts/postgres with …")
        return String(cString: url)
    }

    static func onServer(_ sql: String) async throws {
        try await PostgresConnection.opened().script(sql)
    }

    private static func created(_ name: String, from template: String) async throws -> Self {
        try await onServer("create database \(name) template \(template)")
        let url = try serverURL().replacing(/[^\/]*$/, with: name, maxReplacements: 1)
        return TestDatabase(name: name, url: url)
    }

    private static let ownTablesTemplate = Task {
        let template = try await created("template_own_\(getpid())", from: "template0")
        let database = try await Database.connect(template.url, connections: 1)
        _ = try await database.schema.migrate()
        await database.close()
        return template.name
    }

    private static let viewsTemplate = Task {
        let own = try await ownTablesTemplate.value
        let template = try await created("template_views_\(getpid())", from: own)
        try await template.execute(teamTables + teamViews)
        return template.name
    }
}

extension TestDatabase {
    /// Users are sorted in an ICU collation, so that nothing relies on byte order.
    static let teamTables = teamTables(collation: "en-x-icu")

    /// - Parameter collation: of users.
    static func teamTables(collation: String) -> String {
        """
        create schema team;
        create table team.receipts (
            id text, who text collate "\(collation)", bundle text, data text, at timestamptz);
        create table team.entitlements (
            id text, who text collate "\(collation)", product text, chain text, active boolean,
            expires timestamptz, renews boolean, ownership text, source text, at timestamptz);
        create table team.products (id text, kind text, grp text, level int, access interval,
            billing interval, price numeric, currency text);
        create table team.apps (bundle text, paid text, until timestamptz, premium text);
        create index on team.receipts (who); create index on team.entitlements (who);
        """
    }

    static let teamViews = """
        create view reconcile.stored_receipts (
            receipt_id, user_id, bundle_id, receipt_data, stored_at) as table team.receipts;
        create view reconcile.stored_entitlements (
            entitlement_id, user_id, product_id, original_transaction_id, is_active, expires_at,
            auto_renew, ownership, source, updated_at) as table team.entitlements;
        create view reconcile.catalog_products (
            product_id, kind, subscription_group_id, service_level, access_duration, billing_period,
            list_price, currency) as table team.products;
        create view reconcile.catalog_apps (
            bundle_id, last_paid_version, paid_until, premium_product_id) as table team.apps;
        create view reconcile.stored_download_keys as
        select ''::text as receipt_id, ''::text as product_id, ''::text as remote_product_id,
            ''::text as download_key, now() as expires_at where false;
        """

    func store(receipts: [(id: String, user: String)]) async throws {
        try await insert(
            receipts.map { receipt in
                [
                    "id": receipt.id, "who": receipt.user, "bundle": "app", "data": "AAAA",
                    "at": "2026-01-01",
                ]
            }, into: "receipts")
    }

    /// - Parameter data: base64; by default a receipt that no other id has.
    func store(
        receipt id: String, of user: String?, data: StoredText = .ofItsOwn,
        at: String = "2026-11-01T00:00:00Z"
    ) async throws {
        var text = Self.receipt(id)
        if case .text(let given) = data { text = given }
        let row = ["id": id, "who": user, "bundle": "acme", "data": text, "at": at]
        try await insert([row], into: "receipts")
    }

    enum StoredText {
        case text(String)
        case ofItsOwn
    }

    static func receipt(_ id: String, bundle: String = "acme") -> String {
        ReceiptForge.base64(bundle: bundle, serial: id)
    }

    func store(
        entitlement id: String?, of user: String?, to product: String? = "pro.monthly",
        isActive: Bool? = true, expires: String? = nil, source: String? = "app_store",
        updated: String? = "2026-10-01T00:00:00Z"
    ) async throws {
        let row = [
            "id": id, "who": user, "product": product, "active": isActive.map { "\($0)" },
            "expires": expires, "source": source, "at": updated,
        ]
        try await insert([row], into: "entitlements")
    }

    func sell(
        _ product: String, kind: String = "auto_renewable", group: String? = nil,
        duration: String? = nil
    ) async throws {
        let row = ["id": product, "kind": kind, "grp": group, "access": duration]
        try await insert([row], into: "products")
    }

    /// - Parameter rows: each by column. All have the same columns; the others are null.
    func insert(_ rows: [[String: String?]], into table: String) async throws {
        let columns = rows.first?.keys.sorted() ?? []
        let tuples = rows.map { row in
            let literals = columns.map { column in
                let value = row[column] ?? nil
                return value.map { "'\($0.replacing("'", with: "''"))'" } ?? "null"
            }
            return "(\(literals.joined(separator: ", ")))"
        }
        let into = "insert into team.\(table) (\(columns.joined(separator: ", "))) values "
        try await execute(into + tuples.joined(separator: ", "))
    }
}

extension PostgresConnection {
    /// By default to the server of the tests. It is closed with its last reference.
    static func opened(_ url: String? = nil) async throws -> PostgresConnection {
        let connection = PostgresConnection()
        try await connection.open(try url ?? TestDatabase.serverURL())
        return connection
    }

    func texts(_ sql: String, _ parameters: String?...) throws -> [String?] {
        try query(.test(sql), parameters) { try $0.optionalText("value") }
    }

    func script(_ sql: String) throws(PostgresError) { try executeScript(.test(sql)) }
}

extension PostgresStatement {
    static func test(_ text: String) -> Self { Self(name: "test", text: text) }
}

func databaseError(
    _ operation: () async throws -> some Any, sourceLocation: SourceLocation = #_sourceLocation
) async throws -> DatabaseError {
    try #require(
        await #expect(throws: DatabaseError.self, sourceLocation: sourceLocation) {
            _ = try await operation()
        }, sourceLocation: sourceLocation)
}
