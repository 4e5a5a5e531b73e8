@testable import Reconcile

extension Run {
    static func sample(
        scope: RunScope = .everything, suffix: UInt32 = 0xABC, isOffline: Bool = false,
        csvDialect: CSVDialect = .plain
    ) -> Run {
        let start = Instant(milliseconds: 1_795_140_000_000)
        return Run(
            id: RunID(startedAt: start, suffix: suffix), asOf: start, scope: scope,
            isOffline: isOffline, csvDialect: csvDialect)
    }
}

extension ReportingRun {
    static func sample() -> ReportingRun { Run.sample().reporting }
}

extension ReportedFinding {
    static func sample(
        _ kind: FindingKind = .expiredStillGranted, user: UserID = "u1",
        explanation: String = "The subscription ended, and access is still granted."
    ) -> ReportedFinding {
        let finding = Finding(
            kind: kind, weight: FindingKind.Weight(severity: .high, direction: .leak), user: user,
            explanation: explanation)
        return ReportedFinding(
            id: "0123456789abcdef0123456789abcdef", finding: finding, firstSeen: Run.sample().asOf)
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
        row.finding.eventAt = Instant(milliseconds: 1_795_000_000_999)
        row.finding.reason = "voluntary"
        row.finding.evidenceSHA256 = String(repeating: "a", count: 64)
        row.exposureDays = 1
        row.estimatedAmount = "0.33"
        row.currency = "USD"
        return row
    }
}

extension UnverifiedReceipt {
    static func sample(
        receipt: ReceiptID = "r9", user: UserID = "u9", detail: String? = "HTTP 503"
    ) -> UnverifiedReceipt {
        UnverifiedReceipt(
            receipt: receipt, user: user, bundle: nil, cause: "http_status", attempts: 4,
            lastStatus: nil, lastHTTPStatus: 503, detail: detail, entitlementsAffected: 2)
    }
}

extension RunSummary {
    static func sample(
        _ run: Run = .sample(), status: Status = .complete, findings: [FindingKind] = [],
        unverified: Int = 0
    ) -> RunSummary {
        var receipts = ReceiptTally()
        (receipts.inScope, receipts.verified, receipts.unverified) =
            (10, 10 - unverified, unverified)
        var tally = FindingTally()
        for kind in findings { tally.add(kind, .high) }
        var requests = RequestTally()
        requests.sent = 12
        requests.production = 10
        requests.sandbox = 2
        requests.retries = 1
        requests.byStatus = [0: 9, 21007: 2]
        requests.byHTTPStatus = [200: 11, 503: 1]
        return RunSummary(
            run: run, status: status, receipts: receipts, entitlements: EntitlementTally(),
            findings: tally, requests: requests, oldestVerifiedAt: run.asOf)
    }
}
