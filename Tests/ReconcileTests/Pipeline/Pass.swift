import Testing

@testable import Reconcile
@testable import TestSupport

/// A run with a test's database and a scripted Apple, from its opening to its numbers.
struct Pass: Sendable {
    let database: Database
    let run: Run
    let events = Shared<[RunEvent]>([])
    let worker: RunWorker
    let plan: RunPlan

    /// Opens the run and makes its batches, without sending a request.
    /// - Parameters:
    ///   - wallClock: advances by 1 ms whenever it is read; nil for one that stands still.
    ///   - patience: how long a group of the second look is put off when a control is refused.
    init(
        _ database: Database, _ apple: ScriptedApple, scope: RunScope = .everything,
        usersPerBatch: Int = 100, inFlight: Int = 8, night: Int = 1, asOf: Instant = .asOf,
        eventHorizon: Duration = .seconds(90 * 86_400),
        deadline: ContinuousClock.Instant? = nil, patience: Duration = .milliseconds(200),
        evidence: Evidence = .findings, clock: some Clock<Duration> = ContinuousClock(),
        wallClock: Shared<Instant>? = nil, secrets: String = "* = canary",
        roots: TrustedRoots = .apple, replayOf: RunID? = nil,
        change: (inout ValidationSettings) -> Void = { _ in }
    ) async throws {
        self.database = database
        run = Run(
            id: RunID(text: "20261120T020000Z-00000\(night)"), asOf: asOf, scope: scope,
            replayOf: replayOf)
        _ = try await database.runs.open(
            run, codeVersion: "test", settings: "{}", keeping: evidence)
        plan = try await database.planner.cut(run, usersPerBatch: usersPerBatch)
        let events = events
        let settings = RunSettings(
            inFlight: inFlight, deadline: deadline, evidence: evidence, outagePatience: patience)
        worker = RunWorker(
            run, database: database,
            validator: try .asking(
                apple, secrets: secrets, roots: roots, clock: clock, wallClock: wallClock,
                change: change,
                observe: { change in events.update { $0.append(.pace(change)) } }),
            judge: Judge(
                catalog: try await database.catalog.read(),
                settings: JudgingSettings(asOf: asOf, eventHorizon: eventHorizon)),
            settings: settings, observe: { event in events.update { $0.append(event) } })
    }

    func worker(
        over database: Database, _ apple: ScriptedApple, inFlight: Int = 2,
        change: (inout ValidationSettings) -> Void = { _ in }
    ) async throws -> RunWorker {
        let events = events
        return RunWorker(
            run, database: database, validator: try .asking(apple, change: change),
            judge: Judge(
                catalog: try await database.catalog.read(), settings: JudgingSettings(asOf: .asOf)),
            settings: RunSettings(inFlight: inFlight, outagePatience: .milliseconds(200)),
            observe: { event in events.update { $0.append(event) } })
    }

    func reconcile() async throws { _ = try await worker.drain(plan) }

    func summary() async throws -> RunSummary {
        try await database.summary(of: run) { _ in .complete }
    }

    /// `receipt outcome cause attempts`, by receipt.
    func outcomes(_ test: TestDatabase) async throws -> [String] {
        try await test.texts(
            """
            select concat_ws(' ', receipt_id, outcome, cause, attempts) from reconcile.outcome
            order by receipt_id, 1
            """
        ).compactMap(\.self)
    }

    /// `kind user entitlement`, by kind and user.
    func findings(_ test: TestDatabase) async throws -> [String] {
        try await test.texts(
            "select concat_ws(' ', kind, user_id, entitlement_id) from reconcile.finding order by 1"
        ).compactMap(\.self)
    }

    /// Every column of the rows that the reports are made of.
    func reportRows(_ test: TestDatabase) async throws -> [String] {
        try await test.texts(
            """
            select 'finding ' || f::text from reconcile.finding as f
            union all select 'outcome ' || o::text from reconcile.outcome as o
            order by 1
            """
        ).compactMap(\.self)
    }
}

extension Pass {
    var warnings: [String] {
        events.current.compactMap { if case .warning(let text) = $0 { text } else { nil } }
    }

    var paceChanges: [PaceChange] {
        events.current.compactMap { event in
            guard case .pace(let change) = event else { return nil }
            return change
        }
    }

    /// Rows that were left out, as `view id why`.
    var skipped: [String] {
        events.current.compactMap { event in
            guard case .skippedRow(let view, let id, let why) = event else { return nil }
            return "\(view) \(id ?? "-") \(why)"
        }
    }

    var refusedControls: [ReceiptID] {
        events.current.compactMap { event in
            if case .controlRefused(let receipt) = event { receipt } else { nil }
        }
    }

    /// Users and groups of the second looks, one entry for each look.
    var secondLooks: [[Int]] {
        events.current.compactMap { event in
            guard case .secondLook(let users, let groups) = event else { return nil }
            return [users, groups]
        }
    }
}
