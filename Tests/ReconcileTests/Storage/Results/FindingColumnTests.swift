internal import SQL
internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The list of a finding's columns")
struct FindingColumnTests: DatabaseSuite {
    @Test(
        "The table has exactly the run id and the stored columns of the list", .database(.ownTables)
    )
    func table() async throws {
        let columns = try await texts(
            """
            select column_name::text from information_schema.columns
            where table_schema = 'reconcile' and table_name = 'finding'
            """)
        #expect(columns.compactMap(\.self).sorted() == (["run_id"] + Self.stored).sorted())
    }

    private static let stored = FindingColumn.stored.map(\.name)

    @Test("The reports have the columns of the list in its order, which the specification fixes")
    func reports() {
        let names = FindingColumn.reported.map(\.name)
        #expect(ReportedFinding.columns.map(\.name) == names)
        let contract = """
            finding_id kind severity direction lifecycle first_seen user_id entitlement_id \
            receipt_id product_stored product_apple original_transaction_id transaction_id \
            environment bundle_id ownership stored_active stored_expires_at apple_state \
            apple_expires_at event_at reason exposure_days estimated_amount currency \
            proposed_action explanation evidence_sha256 run_id as_of money_bucket \
            evidence_signed scope reference
            """
        #expect(names.joined(separator: " ") == contract)
    }

    @Test(
        "The statements name every stored column once",
        arguments: [FindingStatement.copy, FindingStatement.found, FindingStatement.cleared])
    func statements(statement: PostgresStatement) {
        #expect(!statement.text.contains("{finding_columns}"))
        let list = Self.stored.joined(separator: ", ")
        let code = statement.text.split(separator: "\n").filter { !$0.hasPrefix("--") }
        #expect(code.count { $0.contains(list) } == 1)
    }

    @Test("Every column reads back what it wrote")
    func roundTrip() {
        var read = ReportedFinding.blank
        for column in FindingColumn.stored {
            #expect(column.take(&read, column.value(.full, .sample())), "\(column.name)")
        }
        #expect(read == .full)
    }

    @Test(
        "An added entry is written by COPY, read by SELECT and printed in CSV and JSON",
        .database(.ownTables))
    func added() async throws {
        let note = FindingColumn("note", optionalText: \.finding.reason)
        // Only the added column can hold the value.
        let stored = FindingColumn.stored.filter { $0.name != "reason" } + [note]
        let row = ReportedFinding.full
        try await execute("alter table reconcile.finding add column note text")
        let connection = try await session()
        try await connection.copyIn(
            FindingStatement.naming(stored, in: SQL.copyFindings),
            CopyBuffer(findings: [row], of: .sample(), columns: stored))
        let rows = try await connection.query(
            FindingStatement.naming(stored, in: SQL.runFindings),
            [ReportingRun.sample().id, PostgresArray.text([row.finding.kind.rawValue])]
        ) { row throws(PostgresError) in try ReportedFinding(row, columns: stored) }
        #expect(rows == [row])

        let columns = ReportedFinding.columns(FindingColumn.reported + [note])
        let csv = CSVReport(columns: columns)
        var json = JSONReport(columns: columns)
        var (header, line, object): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        csv.appendHeader(to: &header)
        csv.append(row, of: .sample(), to: &line)
        json.append(row, of: .sample(), to: &object)
        #expect(String(decoding: header, as: UTF8.self).hasSuffix(",reference,note\r\n"))
        #expect(String(decoding: line, as: UTF8.self).hasSuffix(",voluntary\r\n"))
        #expect(String(decoding: object, as: UTF8.self).hasSuffix(",\"note\":\"voluntary\"}"))
    }
}
