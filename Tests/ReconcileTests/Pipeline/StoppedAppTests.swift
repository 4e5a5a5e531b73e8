import Dispatch
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: fill two apps, let Apple refuse the secret of one for some time, and compare
/// `tally()`.
@Suite("The users of a stopped app", .database, .hangLimit)
struct StoppedAppTests: DatabaseSuite {
    /// Nobody signed the receipts of these tests.
    private static let other = AppReceipts(bundle: "other", kind: .others)
    private static let secrets = "acme = canary\nother = late"

    /// Users `acme-1`… and `other-1`… of the two apps.
    private func fill(_ count: Int) async throws {
        for bundle in ["acme", "other"] {
            let ids = (1...count).map { (id: "\(bundle)-\($0)", user: "\(bundle)-\($0)") }
            try await storeReceipts(ids, bundle: bundle)
        }
    }

    @Test("They are asked about once Apple answers again, after all others")
    func recovered() async throws {
        try await fill(60)
        let refused = Shared(0)
        let asked = DispatchSemaphore(value: 0)
        let apple = try ScriptedApple { ask in
            if ask.password == "late" {
                guard refused.update({ $0 += 1 }) > 30 else { return [.status(21004)] }
                asked.signal()
            } else if ask.receipt == TestDatabase.receipt("acme-9", bundle: "acme") {
                // The run is not over before the app is asked again.
                asked.wait()
                asked.signal()
            }
            return [.verified()]
        }
        let pass = try await Pass(
            database, apple, inFlight: 4, secrets: Self.secrets, appPause: .milliseconds(10))
        try await pass.finish()
        #expect(pass.events.paceChanges.count { $0.resumesApp } == 1)
        // Twenty answers, and the requests in flight by then.
        let lost = try await tally()[.unverified(.sharedSecretRejected)] ?? 0
        #expect((20...23).contains(lost))
        #expect(try await tally()[.verified] == 120 - lost)
    }

    @Test("While an app is paused, the receipts of other apps are asked about")
    func paused() async throws {
        try await fill(60)
        let others = Shared(0)
        let areAllAsked = Semaphore(permits: 0)
        let apple = try ScriptedApple { ask in
            if ask.password == "late", others.current < 60 { return [.status(21000)] }
            if ask.password == "canary", others.update({ $0 += 1 }) == 60 { areAllAsked.signal() }
            return [.verified()]
        }
        let clock = ManualClock()
        let pass = try await Pass(
            database, apple, inFlight: 4, clock: clock, secrets: Self.secrets,
            appPause: .milliseconds(10))
        let work = Task { try await pass.finish() }
        // Until then no time passes, so the pause of the app does not end.
        try await areAllAsked.wait()
        _ = try await clock.passing { try await work.value }
        #expect(try await tally()[.verified, default: 0] >= 90)
        #expect(!pass.events.paceChanges.contains { $0.stopsApp })
    }

    @Test("What is left of the app is unverified when all others are recorded")
    func lost() async throws {
        try await fill(60)
        let apple = try ScriptedApple { [$0.password == "late" ? .status(21004) : .verified()] }
        // If the run waited for the app's next turn, the test would hang.
        let pass = try await Pass(
            database, apple, usersPerBatch: 7, inFlight: 4, secrets: Self.secrets,
            appPause: .seconds(86_400))
        try await pass.finish()
        #expect(try await tally() == [.unverified(.sharedSecretRejected): 60, .verified: 60])
        #expect((20...23).contains(apple.asks.count { $0.password == "late" }))
        let undone = "select count(*) from reconcile.batch where done_at is null"
        #expect(try await texts(undone) == ["0"])
    }

    @Test("Receipts of a user's other apps are asked about, too")
    func otherApps() async throws {
        for bundle in ["acme", "other"] {
            let ids = (1...40).map { (id: "\(bundle)-\($0)", user: "u\($0)") }
            try await storeReceipts(ids, bundle: bundle)
        }
        let apple = try ScriptedApple { [$0.password == "late" ? .status(21004) : .verified()] }
        try await Pass(database, apple, inFlight: 4, secrets: Self.secrets).finish()
        #expect(try await tally() == [.unverified(.sharedSecretRejected): 40, .verified: 40])
    }

    @Test("All workers of a run together take a turn once in a while, and share the answer")
    func turns() async throws {
        try await fill(1)
        let pass = try await Pass(database, ScriptedApple { _ in [.verified()] })
        let run = pass.run.id
        let store = database.stoppedApps
        func mayAsk(after pause: Duration) async throws -> Bool {
            try await store.claimTry(for: Self.other, in: run, every: pause)
        }
        try await store.announce(Self.other, for: .sharedSecretRejected, in: run)
        #expect(try await store.stopped(in: run) == [Self.other: .sharedSecretRejected])
        #expect(try await !mayAsk(after: .seconds(60)))
        #expect(try await mayAsk(after: .zero))
        try await store.announce(Self.other, for: .sharedSecretRejected, in: run)
        #expect(try await !mayAsk(after: .seconds(60)))
        var requests = RequestRecord()
        requests.begin(at: .production, isRetry: false)
        try await store.recordTry(of: Self.other, requests, isAnswered: false, in: run)
        #expect(try await mayAsk(after: .zero))
        try await store.recordTry(of: Self.other, requests, isAnswered: true, in: run)
        #expect(try await store.stopped(in: run) == [:])
        #expect(try await !mayAsk(after: .zero))
        let counts: [CountedRequests] = try await test.rows(
            "select server, requests from reconcile.request_count")
        let one = CountedRequests(server: .production, requests: 1)
        #expect(counts == [one, one])
        try await store.announce(Self.other, for: .sharedSecretMissing, in: run)
        #expect(try await store.stopped(in: run) == [Self.other: .sharedSecretMissing])
        #expect(try await !mayAsk(after: .seconds(60)))
    }

    private struct CountedRequests: Equatable, Decodable {
        let server: AppleServer
        let requests: Int
    }

    @Test("The receipts that Apple wrote are stopped apart from all others of the app")
    func parts() async throws {
        let pass = try await Pass(database, ScriptedApple { _ in [.verified()] })
        let run = pass.run.id
        let store = database.stoppedApps
        let apples = AppReceipts(bundle: "other", kind: .writtenByApple)
        try await store.announce(Self.other, for: .sharedSecretRejected, in: run)
        #expect(try await store.stopped(in: run) == [Self.other: .sharedSecretRejected])
        try await store.announce(apples, for: .requestRefused, in: run)
        #expect(try await store.claimTry(for: apples, in: run, every: .zero))
        try await store.recordTry(of: Self.other, RequestRecord(), isAnswered: true, in: run)
        #expect(try await store.stopped(in: run) == [apples: .requestRefused])
    }

    @Test("A worker asks nothing about an app that another worker of the run stopped")
    func stoppedElsewhere() async throws {
        try await fill(40)
        let apple = try ScriptedApple { [$0.password == "late" ? .status(21004) : .verified()] }
        let pass = try await Pass(database, apple, inFlight: 4, secrets: Self.secrets)
        try await database.stoppedApps.announce(
            Self.other, for: .sharedSecretRejected, in: pass.run.id)
        try await pass.finish()
        #expect(try await tally() == [.unverified(.sharedSecretRejected): 40, .verified: 40])
        #expect(apple.asks.count { $0.password == "late" } == 0)
    }
}
