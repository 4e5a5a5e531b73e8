import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: take the `batch` of such rows, have it recorded under some trouble, and
/// `expectAll`.
@Suite("Rows without a user", .database, .hangLimit)
struct RowsWithoutUserTests: DatabaseSuite {
    private static let all = RowsWithoutUser(receipts: 3, entitlements: 2)

    /// What is recorded of a receipt without a user.
    private struct RecordedReceipt: Equatable, Decodable {
        let receiptID: String?
        var bundleID = "acme"
        var outcome = "unusable"
        var cause = "stored_row_invalid"
        var attempts = 0
    }

    /// What is recorded of an entitlement without a user.
    private struct RecordedRow: Equatable, Decodable {
        let entitlementID: String?
        var bucket = "not_judged"
        var cause = "invalid_row"
    }

    private func recordedReceipts() async throws -> [RecordedReceipt] {
        try await test.rows(
            """
            select receipt_id, bundle_id, outcome, cause, attempts
            from reconcile.outcome where user_id is null order by receipt_id
            """)
    }

    private func recordedRows() async throws -> [RecordedRow] {
        try await test.rows(
            """
            select entitlement_id, bucket, cause
            from reconcile.not_reported where user_id is null order by entitlement_id
            """)
    }

    /// Three receipts, of which two have no id, and two entitlements, of which one has none.
    private func store() async throws {
        let receipts = ["n1", nil, nil].map { id in
            ["id": id, "bundle": "acme", "data": "AAAA"]
        }
        try await test.insert(receipts, into: "receipts")
        for id in ["e1", nil] { try await test.store(entitlement: id, of: nil) }
    }

    private func batch() async throws -> Batch {
        try await store()
        let batch = try #require(try await database.openedBatches().first)
        #expect(batch.isWithoutUser)
        return batch
    }

    private func recordRows(
        of batch: Batch, by other: Database? = nil
    ) async throws -> RowsWithoutUserWriter.Ending {
        try await (other ?? database).rowsWithoutUser.record(batch, of: .test())
    }

    private func expectAll() async throws {
        let receipts = ["n1", nil, nil].map { RecordedReceipt(receiptID: $0) }
        #expect(try await recordedReceipts() == receipts)
        let rows = ["e1", nil].map { RecordedRow(entitlementID: $0) }
        #expect(try await recordedRows() == rows)
        let totals = try await database.reports.totals(of: run)
        #expect(totals.batchesLeft == 0)
        #expect(totals.receipts == (try await database.reports.countedOutcomes(of: run)))
        #expect([totals.receipts.inScope, totals.receipts[.unusable]] == [3, 3])
        #expect([totals.entitlements.inScope, totals.entitlements[.notJudged]] == [2, 2])
    }

    @Test("They are in scope and judged by nothing")
    func counted() async throws {
        let batch = try await batch()
        #expect(try await recordRows(of: batch) == .recorded(Self.all))
        try await expectAll()
    }

    @Test("They are recorded once, although the answer to the COMMIT is lost")
    func lostCommit() async throws {
        let batch = try await batch()
        let proxy = try FaultProxy(before: test.url)
        let lossy = try await connect(through: proxy)
            .with(retry: DatabaseRetry(giveUpAfter: .seconds(240)) { _ in })
        proxy.cutAfterCommits(1)
        #expect(try await recordRows(of: batch, by: lossy) == .recorded(Self.all))
        #expect(proxy.commitsCut == 1)
        try await expectAll()
    }

    @Test("They are recorded once, although the connection is lost before the COMMIT")
    func lostConnection() async throws {
        let batch = try await batch()
        let proxy = try FaultProxy(before: test.url)
        let isFirst = Shared(true)
        proxy.before("COMMIT\0".utf8) { proxy in
            if isFirst.current { proxy.cut() }
            isFirst.update { $0 = false }
        }
        let lossy = try await connect(through: proxy)
            .with(retry: DatabaseRetry(giveUpAfter: .seconds(240)) { _ in })
        #expect(try await recordRows(of: batch, by: lossy) == .recorded(Self.all))
        #expect(!isFirst.current)
        try await expectAll()
    }

    @Test("A worker whose lease another one has taken over records none")
    func lost() async throws {
        let batch = try await batch()
        try await execute("update reconcile.batch set leased_until = now() - interval '1 s'")
        let other = try #require(try await lease(8))
        #expect(try await recordRows(of: batch) == .leaseLost)
        #expect(try await recordedReceipts() == [])
        #expect(try await recordRows(of: other) == .recorded(Self.all))
        try await expectAll()
    }

    @Test("While another session has locked the views, the batch is not recorded")
    func locked() async throws {
        let batch = try await batch()
        let impatient = try await connect()
            .with(retry: DatabaseRetry(giveUpAfter: .seconds(240), lockWait: .zero) { _ in })
        let other = try await session()
        try await other.script("begin; lock table team.receipts in access exclusive mode")
        #expect(try await recordRows(of: batch, by: impatient) == .viewsLocked)
        #expect(try await recordedReceipts() == [])
        try await other.script("rollback")
        #expect(try await recordRows(of: batch, by: impatient) == .recorded(Self.all))
        try await expectAll()
    }

    @Test("A receipt that loses its user during the run counts for that user")
    func moved() async throws {
        try await test.store(receipts: [("r9", "ann")])
        try await store()
        let batches = try await database.openedBatches()
        try await record(.test(batches[0], .test("ann", outcomes: [.test("r9", user: "ann")])))
        try await execute("update team.receipts set who = null where id = 'r9'")
        #expect(try await recordRows(of: batches[1]) == .recorded(Self.all))
        let owner = "select user_id from reconcile.outcome where receipt_id = 'r9'"
        #expect(try await texts(owner) == ["ann"])
    }

    @Test("A run tells how many there are in one event, and counts them in no share of its guards")
    func oneEvent() async throws {
        try await fill(users: 1)
        try await store()
        let apple = try ScriptedApple { [.valid($0)] }
        let pass = try await Pass(database, apple)
        try await database.figures.recordSource(of: pass.run.id)
        let source = [
            "app_store_rows": 1, "entitlements": 1, "receipts": 1, "receipts_of_bundle": 1,
        ]
        #expect(try await figures() == source)
        let summary = try await pass.finish()
        #expect(summary.receipts.inScope == 4)
        #expect(summary.entitlements.inScope == 3)
        #expect(pass.events.rowsWithoutUser == [Self.all])
        #expect(pass.events.skippedRows == [])
        let results = try await figures()
        #expect(results["entitlements"] == 1)
        #expect(results["receipts"] == 1)
        #expect(results["unusable"] == 0)
        #expect(results["not_judged"] == 0)
    }

    private struct Figure: Decodable {
        let name: String
        let value: Int
    }

    /// The figures of the run and of its app.
    private func figures() async throws -> [String: Int] {
        let rows: [Figure] = try await test.rows(
            """
            select name, value from reconcile.run_figure
            where subject in ('', 'acme') and name <> 'newest_change'
            """)
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.value) })
    }

    @Test("Rows with another null have a line each, up to a hundred lines, and one for the rest")
    func nulls() async throws {
        let rows = (1...130).map { ["id": "e\($0)", "who": "u\($0)"] }
        try await test.insert(rows, into: "entitlements")
        let pass = try await Pass(database, ScriptedApple { _ in [.verified()] })
        #expect(try await pass.finish().entitlements[.notJudged] == 130)
        #expect(pass.events.skippedRows.count == 100)
        #expect(pass.events.skippedMoreRows == [30])
    }
}
