import Testing

@testable import Reconcile
@testable import TestSupport

/// Gives each test case a database of its own, which `DatabaseSuite` offers.
struct OwnDatabase: SuiteTrait, TestTrait, TestScoping {
    struct Scene: Sendable {
        let test: TestDatabase
        let database: Database
        let nights: Nights
        let others = Shared<[Database]>([])
    }

    @TaskLocal fileprivate static var scene: Scene?
    let contents: TestDatabase.Contents
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        try await TestDatabase.connected(contents) { test, database in
            let nights = Nights(test: test, database: database)
            let scene = Scene(test: test, database: database, nights: nights)
            try await Self.$scene.withValue(scene, operation: body)
            for other in scene.others.current { await other.close() }
        }
    }
}

extension Trait where Self == OwnDatabase {
    static var database: OwnDatabase { database(.views) }

    static func database(_ contents: TestDatabase.Contents) -> Self { Self(contents: contents) }
}

/// A suite with tests that have the trait `database`.
protocol DatabaseSuite {}

extension DatabaseSuite {
    private var scene: OwnDatabase.Scene {
        guard let scene = OwnDatabase.scene else { preconditionFailure("no trait `database`") }
        return scene
    }

    var test: TestDatabase { scene.test }
    var database: Database { scene.database }
    var nights: Nights { scene.nights }

    func execute(_ sql: String) async throws { try await test.execute(sql) }

    func texts(_ sql: String) async throws -> [String?] { try await test.texts(sql) }

    func store(_ receipts: KeyValuePairs<String, String>) async throws {
        try await test.store(receipts: receipts.map { (id: $0.key, user: $0.value) })
    }

    /// A further process of the job, which is closed after the test.
    func connect(
        as user: String? = nil, through proxy: FaultProxy? = nil, connections: Int = 1
    ) async throws -> Database {
        let url = user.map { test.url(user: $0) } ?? test.url
        let other = try await Database.connect(proxy?.url(url) ?? url, connections: connections)
        scene.others.update { $0.append(other) }
        return other
    }

    /// A session that is not the job's.
    func session() async throws -> PostgresConnection { try await .opened(test.url) }
}

func postgresError(
    sourceLocation: SourceLocation = #_sourceLocation, _ operation: () async throws -> some Any
) async throws -> PostgresError {
    try #require(
        await #expect(throws: PostgresError.self, sourceLocation: sourceLocation) {
            _ = try await operation()
        }, sourceLocation: sourceLocation)
}
