import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A nightly run", .database, .timeLimit(.minutes(10)))
struct NightlyRunTests: DatabaseSuite {
    private static let users = 30

    private struct Failure: RunFailure {
        let wouldRecur: Bool
    }

    @Test(
        "A run that was killed is resumed within the time that allows it, and later abandoned",
        arguments: [(Instant.asOf + .seconds(3_600), true), (.day(1), false)])
    func resumed(startedAt: Instant, isResumed: Bool) async throws {
        try await fill(users: Self.users)
        let isHealed = Shared(false)
        let apple = try ScriptedApple { ask in
            [isHealed.current || ask.lot % 3 > 0 ? .valid(ask) : .stall]
        }
        let killed = Night(database, apple)
        let work = Task { try await killed.pass() }
        try await wait(until: "select count(*) > 0 from reconcile.user_result", is: ["t"])
        work.cancel()
        _ = await work.result
        isHealed.update { $0 = true }
        let night = Night(database, apple, startedAt: startedAt)
        let summary = try await night.published()
        #expect(summary.receipts.verified == Self.users)
        #expect(summary.run.asOf == (isResumed ? .asOf : startedAt))
        #expect(night.hasResumed == isResumed)
        let runs = try await runs()
        #expect(runs.count == (isResumed ? 1 : 2))
        #expect(isResumed || runs.first?.hasSuffix(" abandoned") == true)
        #expect(runs.last == "\(summary.run.id) published")
    }

    @Test("A run is joined once it is open and if its settings are equal, and published once")
    func joined() async throws {
        try await fill(users: Self.users)
        let gate = Gate()
        let apple = try ScriptedApple { ask in
            gate.wait()
            return [.valid(ask)]
        }
        let alone = Night(database, apple, mode: .join)
        await #expect(throws: JoinRefusal(run: nil)) { try await alone.pass() }
        let first = Night(database, apple)
        let work = Task { try await first.pass() }
        await apple.production.arrival(of: 1)
        let other = try await connect(connections: 3)
        let strange = Night(other, apple, mode: .join, settings: #"{"settle":"1s"}"#)
        let refusal = await #expect(throws: JoinRefusal.self) { try await strange.pass() }
        #expect(refusal?.run != nil)
        let second = Night(other, apple, mode: .join) { event in
            if case .joined = event { gate.open() }
        }
        // The other one learns that the run is published.
        let summaries = [try await second.pass(), try await work.value].compactMap(\.self)
        #expect(summaries.map(\.receipts.verified) == [Self.users])
        #expect(apple.asks.count == Self.users)
    }

    @Test(
        "A permanent error ends the run, and a transient one leaves it to be resumed",
        arguments: [(true, "failed"), (false, "open")])
    func failure(wouldRecur: Bool, state: String) async throws {
        try await fill(users: Self.users)
        let apple = try ScriptedApple.refusing([])
        await #expect(throws: Failure.self) {
            try await Night(database, apple).pass { throw Failure(wouldRecur: wouldRecur) }
        }
        #expect(try await runs().first?.hasSuffix(" \(state)") == true)
        let again = Night(database, apple)
        _ = try await again.published()
        #expect(again.hasResumed == !wouldRecur)
    }

    private func runs() async throws -> [String] {
        try await texts("select concat_ws(' ', run_id, state) from reconcile.run order by run_no")
            .compactMap(\.self)
    }

    private struct Night: Sendable {
        let run: NightlyRun
        private let resumed = Shared(false)
        var hasResumed: Bool { resumed.current }

        init(
            _ database: Database, _ apple: ScriptedApple, mode: RunRequest.Mode = .resumeOrNew,
            startedAt: Instant = .asOf, settings: String = "{}",
            observe: @escaping @Sendable (RunEvent) -> Void = { _ in }
        ) {
            let catalog = Catalog(
                products: [CatalogProduct(id: "pro.monthly", kind: .autoRenewable)], apps: [])
            run = NightlyRun(
                RunRequest(
                    mode: mode, scope: .everything, asOf: nil, startedAt: startedAt,
                    codeVersion: "test", settings: { _ in settings }, now: { startedAt }),
                database: database,
                worker: { opened in
                    RunWorker(
                        opened.run, database: database, validator: try .asking(apple),
                        judge: Judge(
                            catalog: catalog, settings: JudgingSettings(asOf: opened.run.asOf)),
                        settings: RunSettings(inFlight: 4, outagePatience: .milliseconds(200)),
                        observe: { _ in })
                },
                observe: { [resumed] event in
                    if case .resumed = event { resumed.update { $0 = true } }
                    observe(event)
                })
        }

        /// - Parameter publish: runs before the run is marked as published.
        /// - Returns: nil when another worker has published the run.
        func pass(publish: () throws -> Void = {}) async throws -> RunSummary? {
            try await run.pass(
                publish: { closed in
                    let summary = try await closed.summary { _, _ in .complete }
                    try publish()
                    try await closed.requirePublication()
                    try await closed.finish(summary, at: closed.run.asOf)
                    return summary
                }, elsewhere: { _ in nil })
        }

        func published() async throws -> RunSummary { try #require(try await pass()) }
    }
}
