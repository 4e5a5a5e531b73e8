package struct ClosedRun: Sendable {
    package let opened: OpenedRun
    package let effort: RunWorker.Effort
    private let publication: Int
    private let database: Database
    private let guards: Guards
    private let judge: Judge
    private let sweep: RefundSweep?

    init(
        _ opened: OpenedRun, effort: RunWorker.Effort, publication: Int, guards: Guards,
        by worker: RunWorker, in database: Database
    ) {
        self.opened = opened
        self.effort = effort
        self.publication = publication
        self.database = database
        self.guards = guards
        judge = worker.judge
        sweep = worker.sweep
    }

    package var run: Run { opened.run }

    /// Compares users with each other, then returns the totals of the run.
    /// - Throws: `ControlsError` when the control totals do not balance; `DatabaseError`.
    package func summary(
        currencies: Set<Currency> = [],
        status: (_ receipts: Tally<ReceiptBucket>, _ isPastMaxRuntime: Bool) -> Summary.Status
    ) async throws -> Summary {
        let isPastMaxRuntime = try await database.reports.wentPastMaxRuntime(run.id)
        return try await database.summary(
            of: run, currencies: currencies, guards: guards,
            refunds: sweep.map(readingRefunds), under: publication
        ) { status($0, isPastMaxRuntime) }
    }

    private func readingRefunds(of sweep: RefundSweep) -> RefundOfNobody.Reading {
        { [judge] payload in
            sweep.refund(in: payload).flatMap { RefundOfNobody($0, of: payload, judge) }
        }
    }

    /// Throws `notOpen` unless this worker still holds the claim to publish the run, and the users
    /// are compared. A failover may have undone either.
    package func requirePublication() async throws {
        try await database.runs.requirePublication(publication, of: run.id, for: effort.worker)
    }

    package func finish(
        _ summary: Summary, _ account: PublishedAccount? = nil, at instant: Instant
    ) async throws {
        try await database.ledger.publish(
            run.id, as: summary.status == .held ? .held : .published,
            isComplete: summary.isComplete, account: account, at: instant, under: publication)
    }
}

extension Database {
    /// The sums over the users must equal the counts of the written rows. A run over everything is
    /// compared with the views, too.
    /// - Throws: `ControlsError` when the sums differ; `DatabaseError`.
    func summary(
        of run: Run, currencies: Set<Currency> = [], guards: Guards = .off,
        refunds: RefundOfNobody.Reading? = nil, under publication: Int? = nil,
        status: (Tally<ReceiptBucket>) -> Summary.Status
    ) async throws -> Summary {
        let totals = try await reports.totals(of: run.id)
        try ControlsError.check([("batches that are not done", totals.batchesLeft, 0)])
        if run.isGuarded { try await figures.countAtClose(of: run.id, under: publication) }
        let coverage = try await figures.coverage(of: run.id, recorded: totals.counts)
        try await ledger.settle(
            run, guards: guards, coverage: coverage, refunds: refunds, under: publication
        ) { finding in
            guard !run.knowsLaterFacts else { return finding }
            return finding.kind.isFoundOffline ? finding.judgedOffline() : nil
        }
        let outcomes = try await reports.countedOutcomes(of: run.id)
        let rows = try await reports.countedEntitlements(
            withFindingOf: FindingKind.ofStoredRows, in: run.id)
        try ControlsError.check(totals.controls(outcomes, rowsWithFinding: rows))
        let implausible = try await figures.heldReasons(of: run.id)
        let isHeld = run.isHeld(by: implausible)
        let status = status(totals.receipts)
        var summary = try await read(
            run, totals, currencies: currencies, status: isHeld ? .held : status)
        summary.implausible = implausible
        summary.isComplete = status == .complete
        return summary
    }

    package func published(_ run: Run) async throws -> Summary {
        let end = try await runs.end(of: run.id)
        var summary = try await read(
            run, try await reports.totals(of: run.id), currencies: [],
            status: end.isHeld ? .held : end.isComplete ? .complete : .incomplete)
        summary.implausible = try await figures.heldReasons(of: run.id)
        summary.isComplete = end.isComplete
        return summary
    }

    /// The totals of a run as it was first published, for `report`.
    package func published(again known: RunListing) async throws -> Summary {
        var summary = try await read(
            known.run, try await reports.totals(of: known.run.id), currencies: known.currencies,
            status: known.status ?? .complete)
        summary.implausible = try await figures.heldReasons(of: known.run.id)
        summary.isComplete = known.isComplete
        summary.rulesVersion = known.rulesVersion
        let erasure = try await pruning.erasure(of: known.run.id)
        if !erasure.isEmpty {
            summary.erasure = erasure
            // Without the erased users it has less than the run recorded.
            summary.coverage = nil
        }
        // The previous run is named even if it was retracted later.
        summary.facts.previousRun = known.previousRun
        return summary
    }

    private func read(
        _ run: Run, _ totals: RecordedTotals, currencies: Set<Currency>, status: Summary.Status
    ) async throws -> Summary {
        var (money, breakdown) = try await money.money(of: run.id)
        money.include(currencies)
        var facts = try await facts.facts(of: run)
        facts.users = totals.users
        var summary = Summary(
            run: run, status: status, receipts: totals.receipts,
            entitlements: totals.entitlements,
            findings: try await reports.countedFindings(of: run.id), money: money,
            breakdown: breakdown, ageing: try await self.money.ageing(of: run.id),
            requests: totals.requests, oldestVerifiedAt: totals.oldestVerifiedAt,
            sourcesAgree: totals.sourcesAgree, sourcesDiffer: totals.sourcesDiffer,
            statusesAgree: totals.statusesAgree, statusesDiffer: totals.statusesDiffer,
            unverifiedByCause: try await self.facts.unverifiedByCause(of: run.id),
            facts: facts, acceptances: try await self.facts.acceptances(of: run.id))
        summary.coverage = try await figures.coverage(of: run.id, recorded: totals.counts)
        return summary
    }
}

extension RecordedTotals {
    fileprivate func controls(
        _ outcomes: Tally<ReceiptBucket>, rowsWithFinding: Int
    ) -> [(name: String, Int, Int)] {
        [
            (
                "receipts in scope and in their buckets", receipts.inScope,
                receipts.buckets
            ),
            (
                "entitlements in scope and in their buckets", entitlements.inScope,
                entitlements.buckets
            ),
            (
                "receipts counted and outcomes written", receipts.inScope,
                outcomes.inScope
            ),
            ("receipts verified", receipts[.verified], outcomes[.verified]),
            ("receipts rejected", receipts[.rejected], outcomes[.rejected]),
            ("receipts unusable", receipts[.unusable], outcomes[.unusable]),
            ("receipts unverified", receipts[.unverified], outcomes[.unverified]),
            (
                "entitlements with a finding and findings written",
                entitlements[.withFinding], rowsWithFinding
            ),
        ]
    }
}

/// The control totals do not balance. This is a defect of the job; nothing is published.
package struct ControlsError: Error, Equatable, CustomStringConvertible {
    package let description: String

    static func check(_ controls: [(name: String, Int, Int)]) throws(ControlsError) {
        let unequal = controls.filter { $0.1 != $0.2 }
        guard !unequal.isEmpty else { return }
        let list = unequal.map { "\($0.name): \($0.1) and \($0.2)" }.joined(separator: "; ")
        throw ControlsError(
            description: "The controls do not balance (\(list)). Nothing was published. This is a"
                + " defect of the job: report it with this line.")
    }
}
