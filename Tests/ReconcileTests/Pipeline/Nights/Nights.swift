import Testing

@testable import Reconcile
@testable import TestSupport

/// Runs over one database, an hour apart, with an Apple whose answers change in between.
struct Nights: Sendable {
    let test: TestDatabase
    let database: Database
    private let state = Shared(State())

    private struct State {
        var acts: [String: LoopbackServer.Act] = [:]
        var past: [Night] = []
        /// The runs that make history, without those that are retracted.
        var published: [RunID] = []
        var firstSeen: [String: Instant] = [:]
        var hasChanged = true
        var plan = Plan()
    }

    private struct Plan {
        var scope = Run.Scope.everything
        /// Nil leaves the run open, like a killed process.
        var ending: Run.State? = .published
        var asOf: Instant?
        var eventHorizon = Duration.seconds(90 * 86_400)
        var former: Night?
        var makesHistory: Bool { scope == .everything && ending == .published && former == nil }
    }
}

/// Each list has one entry for users with the same: `kind lifecycle users` and `kind users`.
struct Night: Sendable {
    let summary: Summary
    let findings: [ReportedFinding]
    let rows: String
    let cleared: String

    init(of summary: Summary, in database: Database) async throws {
        let reports = database.reports
        var rows: [ReportedFinding] = []
        for file in FindingFile.allCases {
            rows += try await reports.findings(of: summary.run.id, in: file).reduce([], +)
        }
        self.summary = summary
        findings = rows
        self.rows = grouped(rows) { "\($0.finding.kind.rawValue) \($0.lifecycle.rawValue)" }
        let gone = try await reports.cleared(of: summary.run.id).reduce([], +)
        cleared = grouped(gone) { $0.finding.kind.rawValue }
        #expect(summary.facts.cleared == gone.count)
    }
}

private func grouped(_ rows: [ReportedFinding], by name: (ReportedFinding) -> String) -> String {
    Dictionary(grouping: rows, by: name).map { name, rows in
        "\(name) " + rows.map { $0.finding.user?.text ?? "-" }.sorted().joined(separator: " ")
    }.sorted().joined(separator: ", ")
}

extension Nights {
    /// Each line is a night: what changes before it, what it must report and what it must clear,
    /// and then perhaps the states of the ledger's rows.
    func spend(_ story: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for line in story.rows {
            let night = try await night(line[0])
            var told = [line[0], night.rows, night.cleared]
            if line.count > 3 { told.append(try await ledgerStates()) }
            let expected = line.count > 2 ? line : line + [""]
            #expect(told == expected, sourceLocation: sourceLocation)
        }
    }

    /// - Parameter changes: separated by `; `.
    @discardableResult
    func night(_ changes: String = "") async throws -> Night {
        if state.current.past.isEmpty {
            let month = ["pro.monthly", "auto_renewable", "G", "2", nil, "1 month", "9.99", "USD"]
            let unlock = ["unlock", "non_consumable", nil, nil, nil, nil, "29.00", "USD"]
            try await test.insert([month, unlock], into: "products")
        }
        for change in changes.split(separator: "; ") {
            try await make(change.split(separator: " ").map(String.init))
        }
        if !changes.isEmpty { state.update { $0.hasChanged = true } }
        let ledger = try await ledger()
        let now = state.current
        let plan = now.plan
        let hour = Instant.asOf + .seconds(now.past.count * 3_600)
        let pass = try await Pass(
            database, ScriptedApple { ask in [now.acts[ask.receipt] ?? .status(21005)] },
            scope: plan.scope, night: now.past.count + 1,
            asOf: plan.former?.summary.run.asOf ?? plan.asOf ?? hour,
            eventHorizon: plan.eventHorizon, evidence: .all,
            replayOf: plan.former?.summary.run.id)
        let night = try await Night(of: pass.finish(), in: database)
        if plan.ending == .published {
            try await database.ledger.publish(pass.run.id, at: pass.run.asOf, under: nil)
        } else if let ending = plan.ending {
            try await database.runs.end(pass.run.id, as: ending, at: pass.run.asOf)
        }
        // A run like the one before adds no history, and only a whole published one does.
        if !plan.makesHistory || !now.hasChanged { #expect(try await self.ledger() == ledger) }
        remember(night)
        return night
    }

    private func remember(_ night: Night) {
        let run = night.summary.run
        state.update { state in
            let plan = state.plan
            if let former = plan.former {
                #expect(night.summary.facts.previousRun == former.summary.facts.previousRun)
            } else if plan.makesHistory {
                #expect(night.summary.facts.previousRun == state.published.last)
                state.published.append(run.id)
                state.hasChanged = false
            }
            for row in night.findings {
                let first = row.lifecycle == .new ? run.asOf : state.firstSeen[row.id]
                #expect(row.firstSeen == first)
                if plan.makesHistory { state.firstSeen[row.id] = row.firstSeen }
            }
            let amounts = MoneyTally.Bucket.allCases.flatMap(night.summary.money.amounts)
            #expect(!night.findings.isEmpty || amounts.allSatisfy { $0.minorUnits == 0 })
            state.past.append(night)
            state.plan = Nights.Plan()
        }
    }

    func cleared(by number: Int) async throws -> String {
        let run = state.current.past[number - 1].summary.run.id
        let rows = try await database.reports.cleared(of: run).reduce([], +)
        return grouped(rows) { $0.finding.kind.rawValue }
    }

    func accept(
        _ finding: String, by user: String = "eve", until: Instant? = nil
    ) async throws -> KnownFinding {
        try await database.acceptances.accept(
            Acceptance(finding: finding, by: user, why: "known", until: until))
    }

    @discardableResult
    func retract(_ number: Int) async throws -> HistoryChange {
        let id = state.current.past[number - 1].summary.run.id
        let change = try await database.history.retract(
            runBeginningWith: id.text, by: "eve", why: "a test")
        state.update {
            $0.published.removeAll { $0 == id }
            $0.hasChanged = true
        }
        return change
    }

    func prune(before number: Int) async throws -> Pruned {
        try await database.pruning.prune(before: .asOf + .seconds((number - 1) * 3_600))
    }

    /// Every column of every row of the ledger, and the transaction that wrote it last.
    func ledger(_ row: String = "concat_ws(' ', l.xmin, l)") async throws -> [String?] {
        try await test.texts("select \(row) from reconcile.ledger as l order by finding_id")
    }

    private func ledgerStates() async throws -> String {
        try await test.list(
            "kind, state, string_agg(coalesce(user_id, '-'), ' ' order by user_id collate \"C\")",
            of: "ledger group by kind, state")
    }

    private func make(_ change: [String]) async throws {
        let rest = Array(change.dropFirst())
        let number = rest.first.flatMap { Double($0) } ?? 0
        switch change[0] {
        case "sql": try await test.execute(rest.joined(separator: " "))
        case "only":
            state.update { $0.plan.scope = .selected(users: rest.map { .init($0) }, receipts: []) }
        case "failed": state.update { $0.plan.ending = .failed }
        case "unfinished": state.update { $0.plan.ending = nil }
        case "day": state.update { $0.plan.asOf = .day(number) }
        case "horizon": state.update { $0.plan.eventHorizon = .seconds(number * 86_400) }
        case "replay": state.update { $0.plan.former = $0.past[Int(number) - 1] }
        case "retract": try await retract(Int(number))
        case "prune": #expect(try await prune(before: Int(number)).runs == Int(rest[1]))
        case "accept":
            let last = state.current.past.last?.findings ?? []
            _ = try await accept(last.first { $0.finding.kind.rawValue == rest[0] }?.id ?? "")
        default: try await turn(change[0], rest)
        }
    }

    /// A user has a receipt with the user's name from the first answer on.
    private func turn(_ user: String, _ words: [String]) async throws {
        var lines: [String] = []
        var act: LoopbackServer.Act?
        for word in words {
            let parts = word.split(separator: ":").map(String.init)
            switch parts[0] {
            case "granted", "revoked": try await set(user, isGranted: parts[0] == "granted")
            case "silent": act = .status(21005)
            case "version": act = .reply(AppleLine.answer(version: parts[1]))
            case "receipt": try await test.store(receipt: parts[1], of: user)
            case "copy":
                let data = TestDatabase.receipt(parts[1])
                try await test.execute(
                    "update team.receipts set data = '\(data)' where who = '\(user)'")
            default:
                lines.append(try AppleAnswer.line(parts))
                act = .reply(AppleAnswer.verified(lines))
            }
            guard let act else { continue }
            let isKnown = state.current.acts[TestDatabase.receipt(user)] != nil
            if !isKnown { try await test.store(receipt: user, of: user) }
            answer(user, act)
        }
    }

    func answer(_ user: String, _ act: LoopbackServer.Act) {
        state.update { $0.acts[TestDatabase.receipt(user)] = act }
    }

    private func set(_ user: String, isGranted: Bool) async throws {
        let update = "update team.entitlements set active = \(isGranted) where who = '\(user)'"
        guard try await test.texts(update + " returning id").isEmpty else { return }
        let end = isGranted ? "2026-12-10T02:00:00Z" : nil
        try await test.store(
            entitlement: "e-\(user)", of: user, isActive: isGranted, expires: end)
    }
}

extension AppleAnswer {
    /// What a receipt shows, as `name:transaction`; of one subscription with two transactions
    /// `month:transaction:order`.
    fileprivate static func line(_ parts: [String]) throws -> String {
        let id = parts.count > 1 ? parts[1] : "1"
        let cancelled: Double? = parts.last == "refunded" ? -5 : nil
        switch parts[0] {
        case "ended": return period(id, from: -40, to: -10)
        case "earlier": return period(id, from: -45, to: -15)
        case "recent": return period(id, from: -30.5, to: -0.5)
        case "running": return period(id, from: -10, to: 20)
        case "refunded": return period(id, from: -10, to: 20, cancelled: -5)
        case "old": return period(id, from: -150, to: -110, cancelled: cancelled.map { _ in -140 })
        case "unknown": return period(id, of: "x.monthly", from: -10, to: 20)
        case "undated":
            let date = #""purchase_date_ms":""#
            return period(id, from: -10, to: 20).replacing(date, with: date + "x")
        case "month":
            return AppleLine.period(
                id, of: "1", from: -10, to: 20, cancelled: cancelled, order: parts[2])
        default:
            try #require(parts[0] == "unlock")
            return AppleLine.once(id, of: "1", "unlock", bought: -60, cancelled: cancelled)
        }
    }
}
