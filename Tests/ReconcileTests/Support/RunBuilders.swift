import Testing

@testable import Reconcile
@testable import TestSupport

extension Run {
    static func test(_ id: String = "20261121T020000Z-000001", scope: RunScope = .everything) -> Run
    {
        Run(
            id: RunID(text: id), asOf: Instant(milliseconds: 1_795_226_400_123), scope: scope)
    }
}

extension Database {
    func openedBatches(
        of run: Run = .test(), usersPerBatch: Int = 1, settings: String = "{}",
        keeping evidence: Evidence = .none
    ) async throws -> [Batch] {
        _ = try await runs.open(run, codeVersion: "1", settings: settings, keeping: evidence)
        _ = try await planner.cut(run, usersPerBatch: usersPerBatch)
        return try await leasedBatches(of: run)
    }

    func leasedBatches(of run: Run = .test()) async throws -> [Batch] {
        var batches: [Batch] = []
        while let batch = try await leases.lease(
            batchOf: run.id, for: 1, besides: batches.map(\.number))
        {
            batches.append(batch)
        }
        return batches
    }

    func portions(
        of batch: Batch, besides recorded: [UserID] = [], in run: Run = .test()
    ) async throws -> [BatchPortion] {
        var portions: [BatchPortion] = []
        while portions.last?.isLast != true {
            let last = portions.last?.lastUser
            if !portions.isEmpty { try #require(last != nil) }
            portions.append(
                try await batches.portion(
                    of: batch, after: last, besides: recorded, in: run))
        }
        return portions
    }
}

extension BatchFlush {
    static func test(_ batch: Batch, _ users: JudgedUser..., isDone: Bool = true) -> BatchFlush {
        BatchFlush(batch: batch, records: users.map { .judged(Reference($0)) }, isDone: isDone)
    }

    static func test(
        _ batch: Batch, postponing users: PostponedUser..., isDone: Bool = true
    ) -> BatchFlush {
        BatchFlush(batch: batch, records: users.map(UserRecord.postponed), isDone: isDone)
    }
}

extension JudgedUser {
    /// Every outcome is counted in its bucket.
    static func test(
        _ user: UserID? = "ann", outcomes: [Outcome] = [], findings: [ReportedFinding] = [],
        evidence: [KeptAnswer] = []
    ) -> JudgedUser {
        var judged = JudgedUser(user: user)
        judged.outcomes = outcomes
        judged.findings = findings
        judged.evidence = evidence
        judged.receipts = ReceiptTally(outcomes)
        return judged
    }
}

extension PostponedUser {
    static func test(_ user: UserID = "ann", refused receipts: ReceiptID...) -> PostponedUser {
        PostponedUser(
            user: user,
            refusals: Dictionary(uniqueKeysWithValues: receipts.map { ($0, .production) }),
            requests: RequestRecord())
    }
}

extension Outcome {
    static func test(
        _ receipt: ReceiptID?, user: UserID? = "ann",
        _ validation: Validation = .unverified(.timeout)
    ) -> Outcome {
        Outcome(receipt: receipt, user: user, bundle: "app", validation: validation)
    }

    static func verified(
        _ receipt: ReceiptID, user: UserID = "ann", by server: StoreEnvironment = .production
    ) -> Outcome {
        var outcome = Outcome.test(
            receipt, user: user, .verified(Receipt(bundle: "app", environment: server)))
        outcome.attempts.server = server
        return outcome
    }
}

extension ReportedFinding {
    /// `id` is repeated to fill 32 digits.
    static func test(
        _ id: Character, _ kind: FindingKind = .activeNotGranted,
        severity: Severity = .critical, user: UserID? = "ann",
        change: (inout Finding) -> Void = { _ in }
    ) -> ReportedFinding {
        var finding = Finding(
            kind: kind, weight: FindingKind.Weight(severity: severity, direction: .owed),
            user: user, explanation: "Sentence.")
        change(&finding)
        return ReportedFinding(
            id: String(repeating: id, count: 32), finding: finding,
            firstSeen: Instant(milliseconds: 1_795_226_400_123))
    }
}

extension KeptAnswer {
    /// `id` stands for the receipt in the request.
    static func test(
        _ id: UInt8 = 1, _ conclusion: Conclusion = .unverified(.timeout), body: String? = nil
    ) -> KeptAnswer {
        var attempts = AttemptSummary()
        attempts.count = 2
        var requests = RequestRecord()
        requests.production = 1
        requests.sandbox = 1
        requests.statuses = [21_007, 0]
        requests.httpStatuses = [200, 200]
        let bytes = body.map { Array($0.utf8) }
        attempts.server = bytes == nil ? nil : .sandbox
        return KeptAnswer(
            request: Array(repeating: id, count: 32), receipt: ReceiptID("r\(id)"),
            conclusion: conclusion, attempts: attempts, requests: requests,
            body: bytes.map { AnswerBody(bytes: $0, server: .sandbox) },
            bodyDigest: bytes.map { Digest.sha256($0).bytes })
    }
}
