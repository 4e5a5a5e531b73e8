import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A nightly run", .timeLimit(.minutes(10)))
struct NightlyRunTests {
    private static let users = 30

    /// A permanent or a transient failure of a run.
    private struct Failure: RunFailure {
        let wouldRecur: Bool
    }

    @Test("A new run is opened, worked on and published")
    func new() async throws {
        try await SecondLookScene.with(users: Self.users) { scene in
            let apple = try SecondLookScene.apple(refusing: SecondLookScene.receipts([3]))
            let night = Night(scene.database, apple)
            let summary = try #require(try await night.pass())
            #expect(summary.receipts.verified == 29 && summary.receipts.rejected == 1)
            #expect(try await scene.runs() == ["\(summary.run.id) published"])
        }
    }

    @Test("A run that was killed is resumed as the same run, within the time that allows it")
    func resumed() async throws {
        try await SecondLookScene.with(users: Self.users) { scene in
            let isHealed = Shared(false)
            let apple = try ScriptedApple { ask in
                isHealed.current || ask.lot % 3 > 0 ? [OutageScene.valid(ask)] : [.stall]
            }
            let killed = Night(scene.database, apple)
            try await killed.kill(in: scene, apple)
            isHealed.update { $0 = true }
            let early = Night(scene.database, apple, startedAt: .asOf + .seconds(3_600))
            let summary = try #require(try await early.pass())
            #expect(summary.receipts.verified == Self.users)
            #expect(summary.run.asOf == .asOf)
            #expect(try await scene.runs() == ["\(summary.run.id) published"])
            #expect(early.hasResumed)
        }
    }

    @Test("A run that is too old to resume is abandoned, and a new one begins")
    func tooOld() async throws {
        try await SecondLookScene.with(users: Self.users) { scene in
            let isHealed = Shared(false)
            let apple = try ScriptedApple { ask in
                isHealed.current || ask.lot % 3 > 0 ? [OutageScene.valid(ask)] : [.stall]
            }
            try await Night(scene.database, apple).kill(in: scene, apple)
            isHealed.update { $0 = true }
            let late = Night(scene.database, apple, startedAt: .day(1))
            let summary = try #require(try await late.pass())
            #expect(summary.run.asOf == .day(1) && !late.hasResumed)
            let runs = try await scene.runs()
            #expect(runs.count == 2)
            #expect(runs.first?.hasSuffix(" abandoned") == true)
            #expect(runs.last == "\(summary.run.id) published")
        }
    }

    @Test("There is no run to join before one is open, or when its settings differ")
    func joinRefused() async throws {
        try await SecondLookScene.with(users: Self.users) { scene in
            let apple = try ScriptedApple { ask in [.stall] }
            let alone = Night(scene.database, apple, mode: .join)
            await #expect(throws: JoinRefusal(run: nil)) { try await alone.pass() }
            let first = Night(scene.database, apple)
            let work = Task { try await first.pass() }
            await apple.production.arrival(of: 1)
            let other = try await Database.connect(scene.test.url, connections: 3)
            let strange = Night(other, apple, mode: .join, settings: #"{"settle":"1s"}"#)
            let refusal = await #expect(throws: JoinRefusal.self) { try await strange.pass() }
            #expect(refusal?.run != nil)
            await other.close()
            work.cancel()
            _ = await work.result
        }
    }

    @Test("Of two workers one publishes the run, and the other learns that it is published")
    func joined() async throws {
        try await SecondLookScene.with(users: Self.users) { scene in
            let gate = Gate()
            let apple = try ScriptedApple { ask in
                gate.wait()
                return [OutageScene.valid(ask)]
            }
            let first = Night(scene.database, apple)
            let work = Task { try await first.pass() }
            await apple.production.arrival(of: 1)
            let other = try await Database.connect(scene.test.url, connections: 3)
            let second = Night(other, apple, mode: .join)
            let help = Task { try await second.pass() }
            while !second.hasJoined { await Task.yield() }
            gate.open()
            let summaries = [try await work.value, try await help.value].compactMap(\.self)
            #expect(summaries.count == 1)
            #expect(summaries.first?.receipts.verified == Self.users)
            #expect(apple.asks.count == Self.users)
            await other.close()
        }
    }

    @Test("A permanent error ends the run, and a transient one leaves it to be resumed")
    func failure() async throws {
        for wouldRecur in [true, false] {
            try await SecondLookScene.with(users: Self.users) { scene in
                let apple = try SecondLookScene.apple(refusing: [])
                let night = Night(scene.database, apple)
                await #expect(throws: Failure.self) {
                    try await night.pass { _ in throw Failure(wouldRecur: wouldRecur) }
                }
                let state = wouldRecur ? "failed" : "open"
                #expect(try await scene.runs().first?.hasSuffix(" \(state)") == true)
                let again = Night(scene.database, apple)
                _ = try #require(try await again.pass())
                #expect(again.hasResumed == !wouldRecur)
            }
        }
    }
}

extension NightlyRunTests {
    private struct Night: Sendable {
        let run: NightlyRun
        private let events: Shared<[RunEvent]>

        init(
            _ database: Database, _ apple: ScriptedApple, mode: RunRequest.Mode = .resumeOrNew,
            startedAt: Instant = .asOf, settings: String = "{}"
        ) {
            let request = RunRequest(
                mode: mode, scope: .everything, asOf: nil, startedAt: startedAt,
                codeVersion: "test", settings: { _ in settings }, now: { startedAt })
            let events = Shared<[RunEvent]>([])
            let catalog = Catalog(
                products: [CatalogProduct(id: "pro.monthly", kind: .autoRenewable)], apps: [])
            self.events = events
            run = NightlyRun(
                request, database: database,
                worker: { opened in
                    RunWorker(
                        opened.run, database: database, validator: try .asking(apple),
                        judge: Judge(
                            catalog: catalog, settings: JudgingSettings(asOf: opened.run.asOf)),
                        settings: RunSettings(inFlight: 4, outagePatience: .milliseconds(200)),
                        observe: { _ in })
                },
                observe: { event in events.update { $0.append(event) } })
        }

        /// - Parameter publish: runs before the run is marked as published.
        /// - Returns: nil when another worker has published the run.
        func pass(
            publish: (ClosedRun) throws -> Void = { _ in }
        ) async throws -> RunSummary? {
            try await run.pass(
                publish: { closed in
                    let summary = try await closed.summary { _, _ in .complete }
                    try publish(closed)
                    try await closed.requirePublication()
                    try await closed.finish(summary, at: closed.run.asOf)
                    return summary
                }, elsewhere: { _ in nil })
        }

        /// Works until one user is recorded, and then ends at once.
        func kill(in scene: SecondLookScene, _ apple: ScriptedApple) async throws {
            let work = Task { try await pass() }
            let users = "select count(*) > 0 from reconcile.user_result"
            while try await scene.test.texts(users) != ["t"] {}
            work.cancel()
            _ = await work.result
        }

        var hasResumed: Bool {
            events.current.contains { if case .resumed = $0 { true } else { false } }
        }

        var hasJoined: Bool {
            events.current.contains { if case .joined = $0 { true } else { false } }
        }
    }
}

extension SecondLookScene {
    fileprivate func runs() async throws -> [String] {
        try await test.texts(
            "select concat_ws(' ', run_id, state) from reconcile.run order by run_no"
        ).compactMap(\.self)
    }
}
