internal import SQL

/// What the runs of a period told. Read-only.
package struct PeriodReader: Sendable {
    let session: DatabaseSession

    /// The runs that count, by `as_of`.
    package func history() async throws(DatabaseError) -> [PeriodRuns.Night] {
        try await session.query(SQL.historyRuns) { row in
            PeriodRuns.Night(
                run: RunID(text: try row.text("run_id")), asOf: try row.instant("as_of"),
                isPruned: try row.bool("is_pruned"))
        }
    }

    /// Whether a finding of the history names the app.
    package func hasFindings(of app: BundleID) async throws(DatabaseError) -> Bool {
        try await session.query(SQL.hasBundle, [app.text]) { row in
            try row.bool("is_named")
        } == [true]
    }

    package func movements(
        of runs: PeriodRuns, _ app: BundleID?
    ) async throws(DatabaseError) -> [Movement] {
        let parameters = [
            PostgresArray.text(runs.inside.map(\.run.text)), runs.opening?.run.text,
            PostgresArray.text(FindingKind.events.map(\.rawValue).sorted()), app?.text,
        ]
        return try await session.query(SQL.periodMovements, parameters) { row in
            try Movement(row)
        }
    }

    /// The rows of one report, in its order.
    package func events(
        of period: FinancialPeriod, in file: FindingFile
    ) -> DatabaseRows<PeriodEvent> {
        let instants = period.days.instants
        let kinds = (PeriodEvent.kinds[file] ?? []).map(\.rawValue)
        let parameters = [
            instants.lowerBound.timestamptz, instants.upperBound.timestamptz,
            PostgresArray.text(kinds), period.app?.text,
        ]
        let statement = FindingStatement.naming(
            FindingColumn.stored, in: SQL.periodEvents, of: "f")
        return DatabaseRows(
            rows: session.stream(statement, parameters) { row in
                PeriodEvent(
                    row: try ReportedFinding(row), run: RunID(text: try row.text("run_id")),
                    asOf: try row.instant("run_as_of"),
                    reversedAt: try row.optionalInstant("reversed_at"),
                    isCounted: try row.bool("is_counted"))
            })
    }
}

extension Movement {
    fileprivate init(_ row: borrowing PostgresRow) throws {
        let code = try row.optionalText("currency")
        let currency = code.flatMap(Currency.init)
        guard code == nil || currency != nil else { throw row.undecodable("currency") }
        self.init(
            Line(
                direction: try row.word("direction"), kind: try row.word("kind"),
                app: try row.optionalID("bundle_id"), product: try row.optionalID("product_id"),
                currency: currency, isAccepted: try row.bool("accepted")))
        unjudgedAtOpening = try row.int("opening_unjudged_count")
        for (flow, count, amount) in Self.flows {
            let text = try row.text(amount)
            let money = currency.flatMap { Money(signed: text, in: $0) }
            guard currency == nil || money != nil else { throw row.undecodable(amount) }
            set(flow, count: try count.map { try row.int($0) } ?? 0, amount: money)
        }
    }

    private static let flows: [(flow: Flow, count: StaticString?, amount: StaticString)] = [
        (.opening, "opening_count", "opening_amount"), (.new, "new_count", "new_amount"),
        (.reopened, "reopened_count", "reopened_amount"),
        (.cleared, "cleared_count", "cleared_amount"), (.moved, "moved_count", "moved_amount"),
        (.revalued, nil, "revalued_amount"), (.closing, "closing_count", "closing_amount"),
        (.unjudged, "unjudged_count", "unjudged_amount"),
    ]
}
