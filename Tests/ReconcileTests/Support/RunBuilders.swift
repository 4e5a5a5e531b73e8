@testable import Reconcile

extension Run {
    static func test(_ id: String = "20261121T020000Z-000001", scope: RunScope = .everything) -> Run
    {
        Run(
            id: RunID(text: id), asOf: Instant(milliseconds: 1_795_226_400_123), scope: scope)
    }
}

extension BatchRecord {
    /// Every outcome counted in its bucket.
    static func test(
        _ batch: Batch, outcomes: [Outcome] = [], findings: [ReportedFinding] = [],
        citedQuestions: [ReceiptID: [UInt8]] = [:]
    ) -> BatchRecord {
        var record = BatchRecord(batch: batch, outcomes: outcomes, findings: findings)
        record.citedQuestions = citedQuestions
        for outcome in outcomes {
            record.receipts.inScope += 1
            switch outcome.validation {
            case .verified: record.receipts.verified += 1
            case .rejected: record.receipts.rejected += 1
            case .unusable: record.receipts.unusable += 1
            case .unverified: record.receipts.unverified += 1
            }
        }
        return record
    }
}

extension Outcome {
    static func test(
        _ receipt: ReceiptID?, user: UserID? = "ann",
        _ validation: Validation = .unverified(.timeout), question: [UInt8]? = nil
    ) -> Outcome {
        Outcome(
            receipt: receipt, user: user, bundle: "app", validation: validation, question: question)
    }
}

extension ReportedFinding {
    /// `id` is repeated to its 32 digits.
    static func test(
        _ id: Character, _ kind: FindingKind = .activeNotGranted,
        severity: Severity = .critical, user: UserID? = "ann",
        change: (inout Finding) -> Void = { _ in }
    ) -> ReportedFinding {
        var finding = Finding(
            kind: kind, severity: severity, direction: .owed, user: user, explanation: "Sentence.")
        change(&finding)
        return ReportedFinding(
            id: String(repeating: id, count: 32), finding: finding,
            firstSeen: Instant(milliseconds: 1_795_226_400_123))
    }
}

extension RecordedAnswer {
    /// `id` stands for the receipt that was asked about.
    static func test(
        _ id: UInt8 = 1, _ conclusion: Conclusion = .unverified(.timeout), body: String? = nil
    ) -> RecordedAnswer {
        var attempts = AttemptSummary()
        attempts.count = 2
        var requests = RequestTally()
        (requests.sent, requests.production, requests.sandbox, requests.retries) = (2, 1, 1, 0)
        requests.byStatus = [0: 1, 21_007: 1]
        requests.byHTTPStatus = [200: 2]
        return RecordedAnswer(
            question: Array(repeating: id, count: 32), receipt: ReceiptID("r\(id)"),
            conclusion: conclusion, attempts: attempts, requests: requests,
            body: body.map { AnswerBody(bytes: Array($0.utf8), server: .sandbox) })
    }
}
