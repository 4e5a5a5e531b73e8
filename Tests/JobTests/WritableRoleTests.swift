import Testing

@testable import TestSupport

@Suite("A run whose role could change what it reads", .timeLimit(.minutes(10)))
struct WritableRoleTests {
    @Test("A writable role is refused after the reports folder and before the views are checked")
    func refused() async throws {
        try await NightScene.with(.nightly) { scene in
            let name = scene.test.name
            try await scene.test.execute(
                """
                grant update on team.receipts to \(name);
                alter view reconcile.catalog_products rename to hidden;
                """)
            let early = try await scene.run("--reports=/nowhere/a")
            #expect(early.status == 73)
            let refused = try await scene.run()
            #expect(refused.status == 77)
            #expect(refused.lastLine.contains("role \(name) may update in team.receipts: it could"))
            #expect(refused.lastLine.hasSuffix("or add --allow-writable-role."))
            let dry = try await scene.run("--dry-run")
            #expect(dry.status == 77)
            let allowed = try await scene.run("--allow-writable-role")
            #expect(allowed.status == 65)
            #expect(scene.apple.asks.isEmpty && scene.published == [])
            try await scene.test.execute(
                """
                alter view reconcile.hidden rename to catalog_products;
                revoke update on team.receipts from \(name);
                """)
            let healed = try await scene.run()
            #expect(healed.status == 0, "\(healed.error)")
        }
    }

    @Test("A superuser is refused, and accepted with --allow-writable-role")
    func superuser() async throws {
        try await NightScene.with(.nightly) { scene in
            let database = "--database=\(scene.test.url)"
            let refused = try await scene.run(database)
            #expect(refused.status == 77)
            #expect(refused.lastLine.contains("The database role postgres is a superuser: it"))
            #expect(scene.apple.asks.isEmpty && scene.published == [])
            let allowed = try await scene.run(database, "--allow-writable-role")
            #expect(allowed.status == 0, "\(allowed.error)")
        }
    }
}
