internal import SQL
internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The list of a finding's columns")
struct FindingColumnTests {
    @Test("The table has exactly the run id and the stored columns of the list")
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

    @Test("The reports have the columns of the list in its order, which the specification fixes")
    func reports() {
        let names = FindingColumn.reported.map(\.name)
        #expect(ReportedFinding.columns.map(\.name) == names)
        let contract = [
            "finding_id", "kind", "severity", "direction", "lifecycle", "first_seen", "user_id",
            "entitlement_id", "receipt_id", "product_stored", "product_apple",
            "original_transaction_id", "transaction_id", "environment", "bundle_id", "ownership",
            "stored_active", "stored_expires_at", "apple_state", "apple_expires_at", "event_at",
            "reason", "exposure_days", "estimated_amount", "currency", "proposed_action",
            "explanation", "evidence_sha256", "run_id", "as_of", "money_bucket",
            "evidence_signed", "scope",
            "reference",
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

    @Test("Every column reads back what it wrote")
    func roundTrip() {
        let row = ReportedFinding.full
        var read = ReportedFinding.blank
        for column in FindingColumn.stored {
            #expect(column.take(&read, column.value(row, .sample())), "\(column.name)")
        }
        #expect(read == row)
    }

    @Test("An added entry is written by COPY, read by SELECT and printed in CSV and JSON")
    func added() async throws {
        let note = FindingColumn("note", optionalText: \.finding.reason)
        // Only the added column can hold the value.
        let stored = FindingColumn.stored.filter { $0.name != "reason" } + [note]
        let copy = FindingStatement.naming(stored, in: SQL.copyFindings)
        let select = FindingStatement.naming(stored, in: SQL.runFindings)
        let row = ReportedFinding.full
        let rows = try await TestDatabase.connected(.ownTables) { test, _ in
            try await test.execute("alter table reconcile.finding add column note text")
            let connection = PostgresConnection()
            try await connection.open(test.url)
            try await connection.copyIn(
                copy, CopyBuffer(findings: [row], of: .sample(), columns: stored))
            let kinds = PostgresArray.text([row.finding.kind.rawValue])
            let rows = try await connection.query(select, [ReportingRun.sample().id, kinds]) {
                row throws(PostgresError) in try ReportedFinding(row, columns: stored)
            }
            await connection.close()
            return rows
        }
        #expect(rows == [row])

        let columns = ReportedFinding.columns(FindingColumn.reported + [note])
        let csv = CSVReport(columns: columns)
        var json = JSONReport(columns: columns)
        var header: [UInt8] = []
        var line: [UInt8] = []
        var object: [UInt8] = []
        csv.appendHeader(to: &header)
        csv.append(row, of: .sample(), to: &line)
        json.append(row, of: .sample(), to: &object)
        #expect(String(decoding: header, as: UTF8.self).hasSuffix(",reference,note\r\n"))
        #expect(String(decoding: line, as: UTF8.self).hasSuffix(",voluntary\r\n"))
        #expect(String(decoding: object, as: UTF8.self).hasSuffix(",\"note\":\"voluntary\"}"))
    }
}
