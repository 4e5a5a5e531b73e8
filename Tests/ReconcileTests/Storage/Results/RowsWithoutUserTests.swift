import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Rows without a user", .database, .timeLimit(.minutes(10)))
struct RowsWithoutUserTests: DatabaseSuite {
    /// Three receipts, of which two have no id, and two entitlements, of which one has none.
    private func store() async throws {
        let receipts = ["n1", nil, nil].map { [$0, nil, "acme", "AAAA", nil] }
        try await test.insert(receipts, into: "receipts")
        for id in ["e1", nil] { try await test.store(entitlement: id, of: nil) }
    }

    @Test("A run tells how many there are in one event, and counts them in no share of its guards")
    func told() async throws {
        try await fill(users: 1)
        try await store()
        let apple = try ScriptedApple { [.valid($0)] }
        let pass = try await Pass(database, apple)
        try await database.figures.recordSource(of: pass.run.id)
        let figures = """
            select concat_ws(' ', name, value) from reconcile.run_figure
            where subject in ('', 'acme') and name <> 'newest_change' order by name
            """
        #expect(
            try await texts(figures) == [
                "app_store_rows 1", "entitlements 1", "receipts 1", "receipts_of_bundle 1",
            ])
        let summary = try await pass.finish()
        #expect(summary.receipts.inScope == 4)
        #expect(summary.entitlements.inScope == 3)
        #expect(pass.told("rowsWithoutUser").count == 1)
        #expect(pass.told("skippedRow") == [])
        let results = try await texts(figures)
        #expect(results.contains("entitlements 1"))
        #expect(results.contains("receipts 1"))
        #expect(results.contains("unusable 0"))
        #expect(results.contains("not_judged 0"))
    }

    @Test("Rows with another null have a line each, up to a hundred lines, and one for the rest")
    func nulls() async throws {
        let rows = (1...130).map { number -> [String?] in
            ["e\(number)", "u\(number)", nil] + Array(repeating: nil, count: 7)
        }
        try await test.insert(rows, into: "entitlements")
        let pass = try await Pass(database, ScriptedApple { _ in [.verified()] })
        #expect(try await pass.finish().entitlements.notJudged == 130)
        #expect(pass.told("skippedRow").count == 100)
        #expect(pass.told("skippedMoreRows") == ["skippedMoreRows(30)"])
    }
}
