import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

extension Run {
    /// It counts the units of 62 days: 2026-09-19 to 2026-11-19.
    static func test(_ id: String = "20261121T020000Z-01", scope: Run.Scope = .everything) -> Run {
        let asOf = Instant(milliseconds: 1_795_226_400_123)
        return Run(
            id: RunID(text: id), asOf: asOf, scope: scope,
            units: scope.isEverything ? UnitWindow(days: 62, before: asOf) : nil)
    }

    static func sample(
        scope: Run.Scope = .everything, suffix: UInt32 = 0xABC, isOffline: Bool = false,
        csvDialect: CSVDialect = .plain, unitDays: Int? = nil
    ) -> Run {
        Run(
            id: RunID(startedAt: .asOf, suffix: suffix), asOf: .asOf, scope: scope,
            isOffline: isOffline, csvDialect: csvDialect,
            units: unitDays.map { UnitWindow(days: $0, before: .asOf) })
    }
}

extension RowStamp { static func sample() -> RowStamp { Run.sample().reporting } }

extension Database {
    func openedBatches(
        of run: Run = .test(), usersPerBatch: Int = 1, keeping evidence: Evidence = .none
    ) async throws -> [Batch] {
        _ = try await runs.open(run, codeVersion: "1", settings: "{}", keeping: evidence)
        _ = try await planner.cut(run, usersPerBatch: usersPerBatch)
        return try await leasedBatches(of: run)
    }

    func leasedBatches(of run: Run = .test()) async throws -> [Batch] {
        var batches: [Batch] = []
        var held: [Int] { batches.map(\.number) }
        while let batch = try await leases.lease(batchOf: run.id, for: 1, excluding: held) {
            batches.append(batch)
        }
        return batches
    }

    func portions(of batch: Batch, excluding known: [UserID] = []) async throws -> [BatchPortion] {
        var portions: [BatchPortion] = []
        while portions.last?.isLast != true {
            let last = portions.last?.lastUser
            if !portions.isEmpty { try #require(last != nil) }
            let portion = try await batches.portion(
                of: batch, after: last, excluding: known, in: .test())
            portions.append(try #require(portion))
        }
        return portions
    }
}

extension BatchFlush {
    static func test(
        _ batch: Batch, _ users: JudgedUser..., refusing: RefusedUser..., isDone: Bool = true
    ) -> BatchFlush {
        let records = users.map { .judged(Reference($0)) } + refusing.map(UserRecord.refused)
        return BatchFlush(batch: batch, records: records, isDone: isDone)
    }
}

extension JudgedUser {
    static func test(
        _ user: UserID? = "ann", outcomes: [Outcome] = [], findings: [ReportedFinding] = [],
        evidence: [KeptAnswer] = []
    ) -> JudgedUser {
        var judged = JudgedUser(user: user)
        judged.outcomes = outcomes
        judged.findings = findings
        judged.evidence = evidence
        judged.receipts = Tally<ReceiptBucket>(outcomes)
        return judged
    }
}

extension RefusedUser {
    static func test(_ user: UserID = "ann", refused receipts: ReceiptID...) -> RefusedUser {
        RefusedUser(
            user: user,
            refusals: Set(receipts.map { RefusedReceipt(receipt: $0, server: .production) }))
    }
}

extension RequestRecord {
    /// Requests to production that were answered so.
    static func answered(_ httpStatuses: Int...) -> RequestRecord {
        var record = RequestRecord()
        for status in httpStatuses {
            record.begin(at: .production, isRetry: false)
            record.answered(httpStatus: status)
        }
        return record
    }
}

extension Outcome {
    static func test(
        _ receipt: ReceiptID?, user: UserID? = "ann", _ result: Validation = .unverified(.timeout)
    ) -> Outcome {
        Outcome(receipt: receipt, user: user, bundle: "app", validation: result)
    }

    static func verified(
        _ receipt: ReceiptID, user: UserID = "ann", by server: AppleServer = .production
    ) -> Outcome {
        let shown = Receipt(bundle: "app", environment: server.environment)
        var outcome = Outcome.test(receipt, user: user, .verified(shown))
        outcome.attempts.server = server
        return outcome
    }
}

extension KeptAnswer {
    /// `id` stands for the receipt in the request.
    static func test(
        _ id: UInt8 = 1, _ conclusion: Conclusion = .unverified(.timeout), body: String? = nil
    ) -> KeptAnswer {
        let bytes = body.map(\.bytes)
        var attempts = AttemptSummary()
        attempts.server = bytes.map { _ in .sandbox }
        return KeptAnswer(
            request: Array(repeating: id, count: 32), receipt: ReceiptID("r\(id)"),
            conclusion: conclusion, attempts: attempts,
            body: bytes.map { AnswerBody(bytes: $0, server: .sandbox) },
            bodyDigest: bytes.map { Digest.sha256($0).bytes })
    }
}

extension ReportedFinding {
    static func test(
        _ id: Character, _ kind: FindingKind = .activeNotGranted, user: UserID? = "ann",
        change: (inout Finding) -> Void = { _ in }
    ) -> ReportedFinding {
        var finding = Finding(kind: kind, weight: kind.weight, user: user, explanation: "Sentence.")
        change(&finding)
        return ReportedFinding(
            id: String(repeating: id, count: 32), finding: finding, firstSeen: Run.test().asOf)
    }

    static func sample(
        _ kind: FindingKind = .expiredStillGranted, user: UserID = "u1",
        explanation: String = "The subscription ended, and access is still granted."
    ) -> ReportedFinding {
        let weight = FindingKind.Weight(severity: .high, direction: .leak)
        let finding = Finding(kind: kind, weight: weight, user: user, explanation: explanation)
        return ReportedFinding(
            id: "0123456789abcdef0123456789abcdef", finding: finding, firstSeen: .asOf)
    }

    static var full: ReportedFinding {
        var row = sample()
        row.finding.entitlement = "e1"
        row.finding.receipt = "r1"
        row.finding.productStored = "pro.monthly"
        row.finding.productApple = "pro.yearly"
        row.finding.originalTransaction = "540000000000001"
        row.finding.transaction = "540000000000002"
        row.finding.environment = .production
        row.finding.bundle = "com.example.app"
        row.finding.ownership = .purchased
        row.finding.storedActive = true
        row.finding.storedExpiresAt = .distantFuture
        row.finding.appleState = .expired
        row.finding.appleExpiresAt = Instant(milliseconds: 1_795_000_000_999)
        row.finding.eventAt = row.finding.appleExpiresAt
        row.finding.reason = "voluntary"
        row.finding.evidenceSHA256 = String(repeating: "a", count: 64)
        row.exposureDays = 1
        row.estimatedAmount = "0.33"
        row.currency = "USD"
        return row
    }
}

extension UnverifiedReceipt {
    static func sample(receipt: ReceiptID = "r9", user: UserID = "u9") -> UnverifiedReceipt {
        UnverifiedReceipt(
            receipt: receipt, user: user, bundle: nil, cause: "http_status", attempts: 4,
            lastStatus: nil, lastHTTPStatus: 503, detail: "HTTP 503", entitlementsAffected: 2)
    }
}

extension Summary {
    static func sample(
        _ run: Run = .sample(), status: Status = .complete, findings: [FindingKind] = [],
        unverified: Int = 0
    ) -> Summary {
        let receipts = (0..<10).map { $0 < unverified ? Outcome.test("r") : .verified("r") }
        var tally = FindingTally()
        for kind in findings { tally.add(kind, .high) }
        var requests = RequestTally()
        requests.byServer = [.production: 10, .sandbox: 2]
        requests.retries = 1
        requests.byStatus = [0: 9, 21007: 2]
        requests.byHTTPStatus = [200: 11, 503: 1]
        var summary = Summary(
            run: run, status: status, receipts: Tally<ReceiptBucket>(receipts),
            entitlements: .init(),
            findings: tally, requests: requests, oldestVerifiedAt: run.asOf)
        let counts = ViewCounts(users: 0, receipts: receipts.count, entitlements: 0)
        if run.isGuarded {
            summary.coverage = Coverage(planned: counts, atClose: counts, recorded: counts)
        }
        return summary
    }
}

extension TemporaryFolder {
    /// Whether the folder of a run holds exactly the files of its manifest, byte for byte.
    func isWholeReport(_ id: String) throws -> Bool {
        let manifest = try JSONSerialization.jsonObject(with: Data(bytes("\(id)/manifest.json")))
        let files = (manifest as? [String: Any])?["files"] as? [[String: Any]] ?? []
        let names = files.compactMap { $0["name"] as? String }
        let present = try FileManager.default.contentsOfDirectory(atPath: path + "/" + id)
        return try names.count == 20 && Set(present) == Set(names + ["manifest.json"])
            && zip(names, files).allSatisfy { name, file in
                let contents = try bytes("\(id)/\(name)")
                return file["bytes"] as? Int == contents.count
                    && file["sha256"] as? String == Digest.sha256(contents).hexadecimal
            }
    }

    var latest: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: path + "/latest")
    }
}

extension ReportFolder {
    func fill(
        _ rows: [FindingFile: [ReportedFinding]], unverified: [UnverifiedReceipt] = [],
        units: [UnitLine] = []
    ) async throws {
        let all = FindingFile.allCases.flatMap { rows[$0] ?? [] }
        let groups = Dictionary(grouping: all) { FindingTotal.Group($0, asOf: .asOf) }
        let totals = groups.map { group, rows in
            let amount = group.currency.flatMap(Currency.init).map { currency in
                let texts = rows.compactMap(\.estimatedAmount)
                let units = texts.compactMap { Money($0, in: currency)?.minorUnits }.reduce(0, +)
                return Money(minorUnits: units, in: currency).text
            }
            return FindingTotal(group, count: rows.count, amount: amount)
        }
        try await write(
            ReportTables(
                findings: { ReportRows([rows[$0] ?? []]) }, cleared: ReportRows([]),
                unverified: ReportRows([unverified]), notReported: ReportRows([]),
                totals: ReportRows([totals.sorted { $0.comesBefore($1) }]),
                units: ReportRows([units])))
    }
}
