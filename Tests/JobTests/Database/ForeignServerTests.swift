import Foundation
import Testing

@testable import TestSupport

/// Views over tables of another server (postgres_fdw). Here it is the same server, reached through
/// a proxy.
@Suite("A view over a foreign server", .timeLimit(.minutes(10)))
struct ForeignServerTests {
    /// The receipts come from the foreign server `shop`.
    private func scene(_ body: (Session, FaultProxy) async throws -> Void) async throws {
        try await Session.with { scene in
            let proxy = try FaultProxy(before: scene.test.url)
            try await scene.test.execute(
                """
                create extension postgres_fdw;
                create server shop foreign data wrapper postgres_fdw
                    options (host '127.0.0.1', port '\(proxy.port)', dbname '\(scene.test.name)');
                create user mapping for public server shop options (user 'postgres');
                create schema far;
                import foreign schema team limit to (receipts) from server shop into far;
                create or replace view reconcile.stored_receipts (
                    receipt_id, user_id, bundle_id, receipt_data, stored_at) as table far.receipts;
                """)
            try await body(scene, proxy)
        }
    }

    @Test(
        "What the other server refuses is told with the view, the server and its own remedy",
        arguments: [
            ForeignTrouble(
                "its role may not read the table",
                "alter user mapping for public server shop options (set user 'ROLE')",
                says: "permission denied for"),
            ForeignTrouble(
                "its table is gone", "alter table team.receipts rename to gone",
                says: "does not exist"),
            ForeignTrouble(
                "it has no such database", "alter server shop options (set dbname 'nowhere')",
                command: "doctor", says: "could not connect to server"),
            ForeignTrouble(
                "it does not answer", "alter server shop options (set port '1')",
                command: "doctor", says: "Connection refused"),
        ])
    func refuses(trouble: ForeignTrouble) async throws {
        try await scene { scene, _ in
            try await scene.test.execute(trouble.sql.replacing("ROLE", with: scene.test.name))
            let job = try await scene.steps(
                trouble.command == "doctor" ? "\"$0\" doctor $DOCTOR | 1" : "run | 65")
            let text = job.output + job.error
            #expect(text.contains("reconcile.stored_receipts"))
            #expect(text.contains("foreign server shop"))
            #expect(text.contains(trouble.says))
            #expect(!text.contains("--roles apply"))
            #expect(!text.contains("Check --database"))
        }
    }

    @Test("A run waits for a foreign server that is down, with a line that names view and server")
    func waits() async throws {
        try await scene { scene, proxy in
            let connections = Shared(0)
            proxy.before("postgres_fdw".utf8) { proxy in
                if connections.update({ $0 += 1 }) <= 3 { proxy.cut() }
            }
            let end = try await scene.startShell("--output=none").finish()
            #expect(end.status == 0, "\(end.error)")
            let waiting = end.error.split(separator: "\n").filter { $0.contains("Waiting") }
            #expect(waiting.count == 1, "\(end.error)")
            #expect(waiting.first?.contains("reconcile.stored_receipts") == true)
            #expect(waiting.first?.contains("foreign server shop") == true)
        }
    }
}

struct ForeignTrouble: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let sql: String
    let command: String
    let says: String

    init(_ label: String, _ sql: String, command: String = "run", says: String) {
        testDescription = label
        self.sql = sql
        self.command = command
        self.says = says
    }
}
