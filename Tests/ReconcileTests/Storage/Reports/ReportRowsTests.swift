internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Rows of the report files", .database)
struct ReportRowsTests: DatabaseSuite {
    @Test("A finding has every column as it was recorded")
    func everyColumn() async throws {
        let bare = ReportedFinding.test("b", user: nil)
        try await recordAnn(findings: [Self.full, bare])
        #expect(try await findings() == [bare])
        #expect(try await findings(in: .expirations) == [Self.full])
        #expect(try await findings(in: .refunds) == [])
        #expect(try await findings(of: RunID(text: "other")) == [])
    }

    @Test("Findings are sorted by severity, kind and the bytes of their names")
    func order() async throws {
        func ann(
            _ id: Character, _ row: EntitlementID?, chain: TransactionID? = nil,
            _ transaction: TransactionID? = nil, receipt: ReceiptID? = nil
        ) -> ReportedFinding {
            .test(id) {
                $0.entitlement = row
                $0.originalTransaction = chain
                $0.transaction = transaction
                $0.receipt = receipt
            }
        }
        let inOrder: [ReportedFinding] = [
            .test("9", user: nil), .test("8", user: "Zoe"), ann("7", nil), ann("6", "e10"),
            ann("5", "e2"), ann("4", "e2", chain: "1"), ann("3", "e2", chain: "1", "2"),
            ann("2", "e2", chain: "1", "2", receipt: "r"), .test("1", user: "école"),
            .test("0", .ownedNotGranted, user: nil), .test("a", severity: .low, user: nil),
        ]
        try await recordAnn(findings: inOrder.shuffled())
        #expect(try await findings().map(\.id) == inOrder.map(\.id))
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
                let digits = String(rows.count, radix: 16)
                row.id = String(repeating: "0", count: 32 - digits.count) + digits
                rows.append(row)
            }
        }
        try await recordAnn(findings: rows.shuffled())
        let totals = try await all(database.reports.findingTotals(of: run))
        var counts: [FindingTotal.Group: Int] = [:]
        for row in rows { counts[FindingTotal.Group(row), default: 0] += 1 }
        #expect(totals.count == counts.count)
        #expect(totals.allSatisfy { counts[$0.group] == $0.count })
        for (first, second) in zip(totals, totals.dropFirst()) {
            #expect(first.comesBefore(second) && !second.comesBefore(first))
        }
        var (sum, expected) = (MoneyTally(), MoneyTally())
        for row in rows { try expected.add(row) }
        for total in totals { try sum.add(total) }
        #expect(sum == expected)
    }

    @Test("Unverified receipts are sorted by the bytes of user and receipt")
    func unverified() async throws {
        try await recordAnn(outcomes: [
            .test("r10", user: "b"), .test("r2", user: "b"), .test("r3", user: "B"),
            .test("r4", user: nil, .unusable(.storedRowInvalid)), .test("r5", .unusable(.empty)),
            .test("r6", .rejected(.notAuthentic)),
        ])
        let rows = try await all(database.reports.unverified(of: run))
        #expect(rows.map(\.receipt) == ["r4", "r3", "r10", "r2"])
        #expect(
            rows[0]
                == UnverifiedReceipt(
                    receipt: "r4", user: nil, bundle: "app", cause: "stored_row_invalid",
                    attempts: 0, lastStatus: nil, lastHTTPStatus: nil, detail: nil,
                    entitlementsAffected: 0))
        #expect(rows[1].cause == "timeout")
    }

    @Test("Rows come in pages of bounded size, and may be read again")
    func parts() async throws {
        try await recordAnn(outcomes: (0..<1_203).map { Outcome.test(ReceiptID("r\($0)")) })
        let rows = database.reports.unverified(of: run)
        for try await part in rows {
            #expect(part.count == 500)
            break
        }
        var sizes: [Int] = []
        for try await part in rows { sizes.append(part.count) }
        #expect(sizes == [500, 500, 203])
    }

    private static let full: ReportedFinding = {
        var row = ReportedFinding.full
        row.lifecycle = .reopened
        row.finding.entitlement = "e\t1"
        row.finding.receipt = "r\\1"
        row.finding.environment = .sandbox
        row.finding.ownership = .familyShared
        row.finding.storedActive = false
        row.finding.appleState = .billingRetry
        row.finding.appleExpiresAt = Instant(milliseconds: -1)
        row.finding.proposedAction = .shorten
        row.finding.explanation = "Line one\nline “two”."
        row.finding.reference = "reference"
        return row
    }()

    private func findings(
        of run: RunID = Run.test().id, in file: FindingFile = .mismatches
    ) async throws -> [ReportedFinding] {
        try await all(database.reports.findings(of: run, in: file))
    }

    private func all<T>(_ rows: DatabaseRows<T>) async throws -> [T] {
        var all: [T] = []
        for try await part in rows { all += part }
        return all
    }

    private func recordAnn(
        outcomes: [Outcome] = [], findings: [ReportedFinding] = []
    ) async throws {
        let batch = try await night(["r1": "ann"])[0]
        try await record(.test(batch, .test(outcomes: outcomes, findings: findings)))
    }
}
