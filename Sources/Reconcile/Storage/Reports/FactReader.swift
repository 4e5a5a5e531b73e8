internal import SQL

struct FactReader: Sendable {
    let session: DatabaseSession

    /// - Throws: `DatabaseError`; `MoneyTally.Unsummable` for amounts that no run writes.
    func facts(of run: Run) async throws -> Summary.Facts {
        var facts = try await times(of: run.id)
        let cleared = try await session.query(SQL.countCleared, [run.id.text]) { row in
            (kind: try row.word("kind") as FindingKind, count: try row.int("findings"))
        }
        for cleared in cleared { facts.clearedByKind[cleared.kind] = cleared.count }
        facts.eventDays = try await eventDays(of: run.id)
        facts.sweptApps = try await sweptApps(of: run.id)
        if run.units != nil { facts.units = try await units(of: run.id) }
        if run.scope.isEverything {
            facts.earlierRuns = try await earlierRuns(of: run.id)
            facts.monthToDate = try await monthToDate(of: run.id)
        }
        return facts
    }

    private func times(of run: RunID) async throws(DatabaseError) -> Summary.Facts {
        try await session.query(SQL.runFacts, [run.text]) { row in
            var facts = Summary.Facts()
            facts.startedAt = try row.instant("started_at")
            facts.endedAt = try row.instant("ended_at")
            facts.previousRun = try row.optionalText("previous_run_id").map { RunID(text: $0) }
            if let api = try row.optionalText("retired_api") {
                facts.retirement = RetirementNotice(
                    of: api, deprecation: try row.optionalText("deprecation_header"),
                    deprecatedAt: try row.optionalInstant("deprecated_at"),
                    sunset: try row.optionalText("sunset_header"),
                    endsAt: try row.optionalInstant("ends_at"))
            }
            return facts
        }.first ?? Summary.Facts()
    }

    private func sweptApps(of run: RunID) async throws(DatabaseError) -> [SweptApp] {
        let rows = try await session.query(SQL.runSweeps, [run.text]) { row in
            let app = SweptApp(
                bundle: try row.id("bundle_id"), from: try row.instant("from_at"),
                isComplete: try row.bool("is_complete"),
                refundsWithoutReceipt: try row.int("refunds_without_receipt"))
            let count = SweptApp.Count(
                notices: try row.int("notices"), failedDeliveries: try row.int("failed_deliveries"))
            return (
                app: app, kind: try row.optionalWord("notice_type") as RefundNotice.Kind?, count
            )
        }
        return rows.reduce(into: []) { apps, row in
            if apps.last?.bundle != row.app.bundle { apps.append(row.app) }
            if let kind = row.kind { apps[apps.count - 1].counts[kind] = row.2 }
        }
    }

    private func eventDays(of run: RunID) async throws(DatabaseError) -> [Summary.EventDay] {
        let events = FindingKind.allCases.filter(\.isEvent)
        let refunds = events.filter { $0.money == .refund }.map(\.rawValue)
        let expirations = events.filter { $0.file == .expirations }.map(\.rawValue)
        return try await session.query(
            SQL.countEventDays,
            [run.text, PostgresArray.text(refunds), PostgresArray.text(expirations)]
        ) { row in
            Summary.EventDay(
                day: try row.instant("day"), refunds: try row.int("refunds"),
                expirations: try row.int("expirations"))
        }
    }

    private func earlierRuns(of run: RunID) async throws -> [Summary.EarlierRun] {
        let rows = try await session.query(SQL.earlierNights, [run.text, Self.events]) { row in
            let night = Summary.EarlierRun(
                run: RunID(text: try row.text("run_id")), asOf: try row.instant("as_of"),
                status: try row.word("status"), findings: try row.int("findings"),
                events: try row.int("events"))
            let amount = try row.isNull("bucket") ? nil : RunListing.Amount(row)
            return (night: night, amount: amount)
        }
        var nights: [Summary.EarlierRun] = []
        for (night, amount) in rows {
            if nights.last?.run != night.run { nights.append(night) }
            if let amount { try nights[nights.count - 1].money.add(amount) }
        }
        return nights
    }

    private static let events = PostgresArray.text(FindingKind.events.map(\.rawValue).sorted())

    private func monthToDate(of run: RunID) async throws -> MonthToDate? {
        let refunds = FindingKind.events.filter { $0.money == .refund }.map(\.rawValue).sorted()
        let rows = try await session.query(
            SQL.monthToDate, [run.text, PostgresArray.text(refunds)]
        ) { row in
            (
                month: try row.text("month"), refunds: try row.int("refunds"),
                currency: try row.optionalText("currency"), amount: try row.optionalText("amount")
            )
        }
        guard let month = rows.first?.month else { return nil }
        var told = MonthToDate(month: month)
        for row in rows {
            told.refunds += row.refunds
            guard let amount = row.amount else { continue }
            guard let currency = row.currency.flatMap(Currency.init),
                let money = Money(amount, in: currency)
            else { throw MoneyTally.Unsummable(what: "\(amount) \(row.currency ?? "")") }
            told.money.append(money)
        }
        told.money.sort { $0.currency < $1.currency }
        return told
    }

    func unverifiedByCause(of run: RunID) async throws(DatabaseError) -> [String: Int] {
        let counts = try await session.query(SQL.countUnverified, [run.text]) { row in
            (cause: try row.text("cause"), count: try row.int("receipts"))
        }
        return Dictionary(counts.map { ($0.cause, $0.count) }, uniquingKeysWith: +)
    }

    func acceptances(of run: RunID) async throws(DatabaseError) -> [AcceptedFinding] {
        try await session.query(SQL.runAcceptances, [run.text]) { row in
            try AcceptedFinding(row)
        }
    }
}

extension AcceptedFinding {
    init(_ row: borrowing PostgresRow) throws {
        self.init(
            id: try row.text("finding_id"),
            kind: try row.optionalText("kind").flatMap(FindingKind.init),
            user: try row.optionalID("user_id"), by: try row.text("accepted_by"),
            why: try row.text("reason"), until: try row.optionalInstant("accepted_until"))
    }
}
