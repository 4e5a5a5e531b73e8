import Foundation
import Testing

@testable import TestSupport

/// Views over tables of another server (postgres_fdw). Here it is the same server, reached through
/// a proxy. To add a case: a `ForeignTrouble`.
@Suite("A view over a foreign server", .hangLimit)
struct ForeignServerTests {
    /// The receipts come from the foreign server `shop`.
    private func session(_ body: (Session, FaultProxy) async throws -> Void) async throws {
        try await Session.with { session in
            let proxy = try FaultProxy(before: session.test.url)
            try await session.test.execute(
                """
                create extension postgres_fdw;
                create server shop foreign data wrapper postgres_fdw
                    options (host '127.0.0.1', port '\(proxy.port)', dbname '\(session.test.name)');
                create user mapping for public server shop options (user 'postgres');
                create schema far;
                import foreign schema team limit to (receipts) from server shop into far;
                create or replace view reconcile.stored_receipts (
                    receipt_id, user_id, bundle_id, receipt_data, stored_at) as table far.receipts;
                """)
            try await body(session, proxy)
        }
    }

    @Test(
        "A refusal of the other server is reported with the view, the server and its own remedy",
        arguments: [
            ForeignTrouble(
                "its role may not read the table",
                { "alter user mapping for public server shop options (set user '\($0)')" },
                says: "permission denied for"),
            ForeignTrouble(
                "its table is gone", { _ in "alter table team.receipts rename to gone" },
                says: "does not exist"),
            ForeignTrouble(
                "it has no such database",
                { _ in "alter server shop options (set dbname 'nowhere')" },
                isSeenByDoctor: true, says: "could not connect to server"),
            ForeignTrouble(
                "it does not answer", { _ in "alter server shop options (set port '1')" },
                isSeenByDoctor: true, says: "Connection refused"),
        ])
    func refuses(trouble: ForeignTrouble) async throws {
        try await session { session, _ in
            try await session.sql(trouble.sql(session.test.name))
            let job =
                trouble.isSeenByDoctor
                ? try await session.doctor().exits(1) : try await session.run().exits(65)
            let text = job.output + job.error
            for part in ["reconcile.stored_receipts", "foreign server shop", trouble.says] {
                #expect(text.contains(part))
            }
            job.omits("--roles apply", "Check --database")
        }
    }

    @Test("A run waits for a foreign server that is down, with a line that names view and server")
    func waits() async throws {
        try await session { session, proxy in
            let connections = Shared(0)
            proxy.before("postgres_fdw".utf8) { proxy in
                if connections.update({ $0 += 1 }) <= 3 { proxy.cut() }
            }
            let end = try await session.run("--output=none").exits()
            let waiting = end.logged.filter { $0.contains("Waiting") }
            #expect(waiting.count == 1, "\(end.error)")
            #expect(waiting.first?.contains("reconcile.stored_receipts") == true)
            #expect(waiting.first?.contains("foreign server shop") == true)
        }
    }
}

struct ForeignTrouble: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Given the name of the job's role.
    let sql: @Sendable (String) -> String
    /// Else a run reports it.
    let isSeenByDoctor: Bool
    let says: String

    init(
        _ label: String, _ sql: @escaping @Sendable (String) -> String,
        isSeenByDoctor: Bool = false, says: String
    ) {
        testDescription = label
        self.sql = sql
        self.isSeenByDoctor = isSeenByDoctor
        self.says = says
    }
}
