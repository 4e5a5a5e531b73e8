internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Rows of the report files")
struct ReportRowsTests {
    @Test("A finding has every column as it was recorded")
    func everyColumn() async throws {
        let full = Self.full
        let bare = ReportedFinding.test("b", user: nil)
        try await recorded(findings: [full, bare]) { database in
            let rows = try await all(database.reports.findings(of: Run.test().id, in: .mismatches))
            #expect(rows == [bare, full])
            #expect(try await all(database.reports.findings(of: Run.test().id, in: .refunds)) == [])
            let other = database.reports.findings(of: RunID(text: "other"), in: .mismatches)
            #expect(try await all(other) == [])
        }
    }

    @Test("Findings are sorted by severity, kind and the bytes of their names")
    func order() async throws {
        let inOrder: [ReportedFinding] = [
            .test("9", user: nil), .test("8", user: "Zoe"),
            .test("7", user: "ann"), .test("6", user: "ann") { $0.entitlement = "e10" },
            .test("5", user: "ann") { $0.entitlement = "e2" },
            .test("4", user: "ann") {
                $0.entitlement = "e2"
                $0.originalTransaction = "1"
            },
            .test("3", user: "ann") {
                $0.entitlement = "e2"
                $0.originalTransaction = "1"
                $0.transaction = "2"
            },
            .test("2", user: "ann") {
                $0.entitlement = "e2"
                $0.originalTransaction = "1"
                $0.transaction = "2"
                $0.receipt = "r"
            },
            .test("1", user: "école"), .test("0", .ownedNotGranted, user: nil),
            .test("a", severity: .low, user: nil),
        ]
        try await recorded(findings: inOrder.shuffled()) { database in
            let rows = try await all(database.reports.findings(of: Run.test().id, in: .mismatches))
            #expect(rows.map(\.id) == inOrder.map(\.id))
        }
    }

    @Test("Totals are the sums of their findings, in the order of their columns")
    func totals() async throws {
        let days =
            [
                nil, "2026-07-01T06:59:59Z", "2026-07-01T07:00:00Z", "1969-12-31T23:00:00Z",
                "2026-12-01T07:59:59Z",
            ].map { $0.flatMap { Instant(rfc3339: $0) } } + [.distantFuture, .distantPast]
        var rows: [ReportedFinding] = []
        for (number, day) in (days + days).enumerated() {
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
        try await recorded(findings: rows.shuffled()) { database in
            let totals = try await all(database.reports.findingTotals(of: Run.test().id))
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
    }

    @Test("Unverified receipts are sorted by the bytes of user and receipt")
    func unverified() async throws {
        let outcomes: [Outcome] = [
            .test("r10", user: "b"), .test("r2", user: "b"), .test("r3", user: "B"),
            .test("r4", user: nil, .unusable(.storedRowInvalid)), .test("r5", .unusable(.empty)),
            .test("r6", .rejected(.notAuthentic)),
        ]
        try await recorded(outcomes: outcomes) { database in
            let rows = try await all(database.reports.unverified(of: Run.test().id))
            #expect(rows.map(\.receipt) == ["r4", "r3", "r10", "r2"])
            #expect(
                rows[0]
                    == UnverifiedReceipt(
                        receipt: "r4", user: nil, bundle: "app", cause: "stored_row_invalid",
                        attempts: 0, lastStatus: nil, lastHTTPStatus: nil, detail: nil,
                        entitlementsAffected: 0))
            #expect(rows[1].cause == "timeout")
        }
    }

    @Test("Rows come in pages of bounded size, and may be read again")
    func parts() async throws {
        let outcomes = (0..<1_203).map { Outcome.test(ReceiptID("r\($0)")) }
        try await recorded(outcomes: outcomes) { database in
            let rows = database.reports.unverified(of: Run.test().id)
            for try await part in rows {
                #expect(part.count == 500)
                break
            }
            var sizes: [Int] = []
            for try await part in rows { sizes.append(part.count) }
            #expect(sizes == [500, 500, 203])
        }
    }

    private static let full: ReportedFinding = {
        var reported = ReportedFinding.test("a", .expiryTooLate, severity: .medium, user: "ann")
        reported.lifecycle = .reopened
        reported.exposureDays = 12
        reported.estimatedAmount = "3.90"
        reported.currency = "EUR"
        reported.finding.direction = .leak
        reported.finding.entitlement = "e\t1"
        reported.finding.receipt = "r\\1"
        reported.finding.productStored = "gold"
        reported.finding.productApple = "silver"
        reported.finding.originalTransaction = "100000000000000001"
        reported.finding.transaction = "100000000000000002"
        reported.finding.environment = .sandbox
        reported.finding.bundle = "app"
        reported.finding.ownership = .familyShared
        reported.finding.storedActive = false
        reported.finding.storedExpiresAt = .distantFuture
        reported.finding.appleState = .billingRetry
        reported.finding.appleExpiresAt = Instant(milliseconds: -1)
        reported.finding.eventAt = Instant(milliseconds: 1_795_226_400_999)
        reported.finding.reason = "voluntary"
        reported.finding.proposedAction = .shorten
        reported.finding.explanation = "Line one\nline “two”."
        reported.finding.evidenceSHA256 = String(repeating: "0f", count: 32)
        reported.finding.reference = "reference"
        return reported
    }()

    private func all<T>(_ rows: DatabaseRows<T>) async throws -> [T] {
        var all: [T] = []
        for try await part in rows { all += part }
        return all
    }

    private func recorded(
        outcomes: [Outcome] = [], findings: [ReportedFinding] = [],
        _ body: (Database) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann")])
            let batch = try #require(try await database.openedBatches().first)
            let user = JudgedUser.test(outcomes: outcomes, findings: findings)
            _ = try await database.results.record([.test(batch, user)], of: .test())
            try await body(database)
        }
    }
}
