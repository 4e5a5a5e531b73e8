internal import SQL
internal import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a test that copies a row of findings and reads it back, or prints it.
@Suite("Columns and rows of the report files", .database)
struct FindingColumnTests: DatabaseSuite {
    @Test("An entry added to the list of columns is written, read and printed in CSV and JSON")
    func added() async throws {
        let note = FindingColumn("note", \.finding.reason)
        // Only the added column can hold the value.
        let stored = FindingColumn.stored.filter { $0.name != "reason" } + [note]
        let row = ReportedFinding.full
        try await execute("alter table reconcile.finding add column note text")
        let connection = try await session()
        try await connection.copyIn(
            FindingStatement.naming(stored, in: SQL.copyFindings),
            CopyBuffer(findings: [row], of: .sample(), columns: stored))
        let query = FindingStatement.naming(stored, in: SQL.runFindings)
        let kinds = PostgresArray.text([row.finding.kind.rawValue])
        let rows = try await connection.query(query, [RowStamp.sample().id, kinds]) { row in
            try ReportedFinding(row, columns: stored)
        }
        #expect(rows == [row])
        let columns = ReportedFinding.columns(FindingColumn.reported + [note])
        let csv = CSVReport(columns: columns)
        var json = JSONReport(columns: columns)
        var text: [UInt8] = []
        csv.appendHeader(to: &text)
        csv.append(row, of: .sample(), to: &text)
        json.append(row, of: .sample(), to: &text)
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\r\n")
        try #require(lines.count == 3)
        #expect(lines[0].hasSuffix(",source,amount_basis,note"))
        #expect(lines[1].hasSuffix(",voluntary"))
        #expect(lines[2].hasSuffix(",\"note\":\"voluntary\"}"))
    }

    @Test("Each report file has the recorded findings in order of severity, kind and ids, as bytes")
    func order() async throws {
        var full = ReportedFinding.full
        full.lifecycle = .reopened
        full.finding.storedActive = false
        full.finding.proposedAction = .shorten
        full.finding.explanation = "Line one\nline “two”."
        full.finding.reference = "reference"
        full.finding.entitlement = "e\t1"
        full.finding.receipt = "r\\1"
        // Each has one id more than the one before.
        let ann = "765432".map { id in
            ReportedFinding.test(id) {
                if id < "7" { $0.entitlement = id == "6" ? "e10" : "e2" }
                if id < "5" { $0.originalTransaction = "1" }
                if id < "4" { $0.transaction = "2" }
                if id < "3" { $0.receipt = "r" }
            }
        }
        let inOrder: [ReportedFinding] =
            [.test("9", user: nil), .test("8", user: "Zoe")] + ann + [
                .test("1", user: "école"), .test("0", .ownedNotGranted, user: nil),
                .test("a", user: nil) { $0.severity = .low },
            ]
        try await record(findings: (inOrder + [full]).shuffled())
        #expect(try await findings() == inOrder)
        #expect(try await findings(in: .expirations) == [full])
        #expect(try await findings(in: .refunds) + findings(of: RunID(text: "other")) == [])
    }

    @Test("Totals are the sums of their findings, in the order of their columns")
    func totals() async throws {
        let days = [
            "2026-07-01T06:59:59Z", "2026-07-01T07:00:00Z", "1969-12-31T23:00:00Z",
            "2026-12-01T07:59:59Z",
        ].map { Instant(rfc3339: $0) }
        let instants = [nil] + days + [.distantFuture, .distantPast]
        var rows: [ReportedFinding] = []
        for (number, day) in (instants + instants).enumerated() {
            for bundle in [nil, "", "b", "B"] as [BundleID?] {
                var row = ReportedFinding.test("0", user: nil) {
                    $0.eventAt = day
                    $0.bundle = bundle
                    $0.productStored = number == 3 ? nil : "é"
                }
                if bundle == "b" {
                    row.estimatedAmount = "0.1\(number % 7)"
                    row.currency = "USD"
                }
                row.id = String(repeating: "0", count: 29) + String(100 + rows.count)
                rows.append(row)
            }
        }
        try await record(findings: rows.shuffled())
        let totals = try await database.reports.findingTotals(of: run).reduce([], +)
        let counts = Dictionary(grouping: rows) { FindingTotal.Group($0, asOf: .asOf) }.mapValues(
            \.count)
        #expect(totals.count == counts.count)
        #expect(totals.allSatisfy { counts[$0.group] == $0.count })
        let pairs = zip(totals, totals.dropFirst())
        #expect(pairs.allSatisfy { $0.comesBefore($1) })
        #expect(!pairs.contains { $1.comesBefore($0) })
        let sum = try totals.reduce(into: MoneyTally()) { try $0.add($1) }
        #expect(sum == (try rows.reduce(into: MoneyTally()) { try $0.add($1) }))
    }

    @Test("Unverified receipts are sorted by bytes of user and receipt, in bounded pages")
    func unverified() async throws {
        let many = (0..<1_199).map { Outcome.test(ReceiptID("r\($0)"), user: "c") }
        try await record(
            outcomes: many + [
                .test("b10", user: "b"), .test("b2", user: "b"), .test("B3", user: "B"),
                .test("n4", user: nil, .unusable(.storedRowInvalid)),
                .test("x5", .unusable(.empty)), .test("x6", .rejected(.notAuthentic)),
            ])
        let receipts = database.reports.unverified(of: run)
        // A reader may leave early.
        #expect(try await receipts.first { _ in true }?.count == 500)
        let parts = try await receipts.reduce(into: []) { $0.append($1) }
        #expect(parts.map(\.count) == [500, 500, 203])
        #expect(parts[0].prefix(4).map(\.receipt) == ["n4", "B3", "b10", "b2"])
        let others = parts.joined().dropFirst(4).map(\.receipt)
        #expect(others == many.compactMap(\.receipt).sorted { $0.text < $1.text })
        let first = UnverifiedReceipt(
            receipt: "n4", user: nil, bundle: "app", cause: "stored_row_invalid", attempts: 0,
            lastStatus: nil, lastHTTPStatus: nil, detail: nil, entitlementsAffected: 0)
        #expect(parts[0][0] == first)
        #expect(parts[0][1].cause == "timeout")
    }

    private func findings(
        of run: RunID = Run.test().id, in file: FindingFile = .mismatches
    ) async throws -> [ReportedFinding] {
        try await database.reports.findings(of: run, in: file).reduce([], +)
    }

    private func record(outcomes: [Outcome] = [], findings: [ReportedFinding] = []) async throws {
        let batch = try await night(["r1": "ann"])[0]
        try await record(.test(batch, .test(outcomes: outcomes, findings: findings)))
    }
}
