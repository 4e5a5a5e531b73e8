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
        var id: RunID?
        var unitDays: Int?
        var makesHistory: Bool { scope == .everything && ending == .published && former == nil }
    }
}

struct Night: Sendable {
    let summary: Summary
    let findings: [ReportedFinding]
    /// Sorted.
    let reports: [Reported]
    /// Sorted.
    let clears: [Cleared]

    init(of summary: Summary, in database: Database) async throws {
        let reports = database.reports
        var rows: [ReportedFinding] = []
        for file in FindingFile.allCases {
            rows += try await reports.findings(of: summary.run.id, in: file).reduce([], +)
        }
        self.summary = summary
        findings = rows
        self.reports = Reported.groups(of: rows)
        let gone = try await reports.cleared(of: summary.run.id).reduce([], +)
        clears = Cleared.groups(of: gone)
        #expect(summary.facts.cleared == gone.count)
    }
}

extension Nights {
    /// Runs the nights, each of which must report and clear exactly what it says.
    func spend(
        _ nights: StoryNight..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await spend(nights, sourceLocation: sourceLocation)
    }

    func spend(
        _ nights: [StoryNight], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for story in nights {
            let night = try await night(story.changes)
            let after: Comment = "after \(story.changes)"
            #expect(night.reports == story.reports, after, sourceLocation: sourceLocation)
            #expect(night.clears == story.clears, after, sourceLocation: sourceLocation)
            guard let leaves = story.leaves else { continue }
            #expect(try await ledgerStates() == leaves, after, sourceLocation: sourceLocation)
        }
    }

    @discardableResult
    func night(_ changes: StoryChange...) async throws -> Night { try await night(changes) }

    @discardableResult
    func night(_ changes: [StoryChange]) async throws -> Night {
        if state.current.past.isEmpty {
            try await test.insert(
                [
                    [
                        "id": "pro.monthly", "kind": "auto_renewable", "grp": "G", "level": "2",
                        "billing": "1 month", "price": "9.99", "currency": "USD",
                    ]
                ], into: "products")
            try await test.insert(
                [
                    [
                        "id": "unlock", "kind": "non_consumable", "price": "29.00",
                        "currency": "USD",
                    ]
                ], into: "products")
        }
        for change in changes { try await make(change) }
        if !changes.isEmpty { state.update { $0.hasChanged = true } }
        let ledger = try await ledger()
        let writers = try await ledgerWriters()
        let now = state.current
        let plan = now.plan
        let hour = Instant.asOf + .seconds(now.past.count * 3_600)
        let pass = try await Pass(
            database, ScriptedApple { ask in [now.acts[ask.receipt] ?? .status(21005)] },
            scope: plan.scope, night: now.past.count + 1,
            asOf: plan.former?.summary.run.asOf ?? plan.asOf ?? hour,
            eventHorizon: plan.eventHorizon, evidence: .all,
            replayOf: plan.former?.summary.run.id, id: plan.id,
            units: plan.unitDays.flatMap { UnitWindow(days: $0, before: plan.asOf ?? hour) })
        let night = try await Night(of: pass.finish(), in: database)
        if plan.ending == .published {
            try await database.ledger.publish(pass.run.id, at: pass.run.asOf, under: nil)
        } else if let ending = plan.ending {
            try await database.runs.end(pass.run.id, as: ending, at: pass.run.asOf)
        }
        // A run like the one before adds no history, and only a whole published one does.
        if !plan.makesHistory || !now.hasChanged {
            #expect(try await self.ledger() == ledger)
            #expect(try await ledgerWriters() == writers)
        }
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

    func cleared(by number: Int) async throws -> [Cleared] {
        let run = state.current.past[number - 1].summary.run.id
        return Cleared.groups(of: try await database.reports.cleared(of: run).reduce([], +))
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

    /// Every row of the ledger, with all its columns.
    func ledger() async throws -> [String?] {
        try await test.texts("select l::text from reconcile.ledger as l order by finding_id")
    }

    /// The transactions that wrote the rows of the ledger last.
    func ledgerWriters() async throws -> [String?] {
        try await test.texts("select xmin::text from reconcile.ledger order by finding_id")
    }

    private struct LedgerRow: Decodable {
        let kind: FindingKind
        let state: LedgerGroup.State
        let userID: String
    }

    private func ledgerStates() async throws -> [LedgerGroup] {
        let rows: [LedgerRow] = try await test.rows(
            "select kind, state, coalesce(user_id, '-') as user_id from reconcile.ledger")
        var users: [LedgerGroup.Key: [String]] = [:]
        for row in rows {
            let key = LedgerGroup.Key(kind: row.kind, state: row.state)
            users[key, default: []].append(row.userID)
        }
        return users.map { LedgerGroup(key: $0.key, users: $0.value.sorted()) }.sorted()
    }

    private func make(_ change: StoryChange) async throws {
        switch change {
        case .turn(let user, let turns): for turn in turns { try await make(turn, of: user) }
        case .sql(let sql): try await test.execute(sql)
        case .scope(let users):
            state.update { $0.plan.scope = .selected(users: users.map { .init($0) }, receipts: []) }
        case .failed: state.update { $0.plan.ending = .failed }
        case .unfinished: state.update { $0.plan.ending = nil }
        case .day(let number): state.update { $0.plan.asOf = .day(number) }
        case .id(let text): state.update { $0.plan.id = RunID(text: text) }
        case .units(let days): state.update { $0.plan.unitDays = days }
        case .horizon(let days): state.update { $0.plan.eventHorizon = .seconds(days * 86_400) }
        case .replay(let number): state.update { $0.plan.former = $0.past[number - 1] }
        case .retract(let number): try await retract(number)
        case .prune(let number, let runs):
            #expect(try await prune(before: number).runs == runs)
        case .accept(let kind):
            let last = state.current.past.last?.findings ?? []
            _ = try await accept(last.first { $0.finding.kind == kind }?.id ?? "")
        }
    }

    private func make(_ turn: StoryTurn, of user: String) async throws {
        switch turn {
        case .granted: try await set(user, isGranted: true)
        case .revoked: try await set(user, isGranted: false)
        case .silent: try await show(.status(21005), to: user)
        case .version(let version):
            try await show(.reply(AppleLine.answer(version: version)), to: user)
        case .receipt(let id): try await test.store(receipt: id, of: user)
        case .copy(let other):
            let data = TestDatabase.receipt(other)
            try await test.execute(
                "update team.receipts set data = '\(data)' where who = '\(user)'")
        case .shows(let lines):
            try await show(.reply(AppleAnswer.verified(lines.map(\.json))), to: user)
        }
    }

    /// A user has a receipt with the user's name from the first answer on.
    private func show(_ act: LoopbackServer.Act, to user: String) async throws {
        let isKnown = state.current.acts[TestDatabase.receipt(user)] != nil
        if !isKnown { try await test.store(receipt: user, of: user) }
        answer(user, act)
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
