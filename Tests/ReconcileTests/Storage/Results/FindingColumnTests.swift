internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The columns of a finding")
struct FindingColumnTests {
    @Test("The table has exactly the run and the stored columns of the list")
    func table() async throws {
        try await TestDatabase.connected(.ownTables) { test, _ in
            let columns = try await test.texts(
                """
                select column_name::text from information_schema.columns
                where table_schema = 'reconcile' and table_name = 'finding' order by 1
                """)
            #expect(columns.count == FindingColumn.stored.count + 1)
            #expect(Set(columns) == Set(["run_id"] + FindingColumn.stored.map(\.name)))
        }
    }

    @Test("The reports have the columns of the list in its order, which is the contract's")
    func reports() {
        let names = FindingColumn.reported.map(\.name)
        #expect(ReportedFinding.columns.map(\.name) == names)
        let contract = [
            "finding_id", "kind", "severity", "direction", "lifecycle", "first_seen", "user_id",
            "entitlement_id", "receipt_id", "product_stored", "product_apple",
            "original_transaction_id", "transaction_id", "environment", "bundle_id", "ownership",
            "stored_active", "stored_expires_at", "apple_state", "apple_expires_at", "event_at",
            "reason", "exposure_days", "estimated_amount", "currency", "proposed_action",
            "explanation", "evidence_sha256", "run_id", "as_of", "money_bucket", "scope",
        ]
        #expect(names == contract)
    }

    @Test(
        "The statements name every stored column once",
        arguments: [
            FindingStatement.copy, FindingStatement.found, FindingStatement.cleared,
        ])
    func statements(statement: PostgresStatement) {
        #expect(!statement.text.contains("{finding_columns}"))
        let list = FindingColumn.stored.map(\.name).joined(separator: ", ")
        let code = statement.text.split(separator: "\n").filter { !$0.hasPrefix("--") }
        #expect(code.count { $0.contains(list) } == 1)
    }

    @Test("Every column that is read takes back what it has written")
    func roundTrip() {
        let row = ReportedFinding.full
        var read = ReportedFinding.blank
        for column in FindingColumn.stored {
            #expect(column.take(&read, column.value(row, .sample())), "\(column.name)")
        }
        #expect(read == row)
    }
}
