import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The circuit breaker for configuration errors", .timeLimit(.minutes(10)))
struct ConfigurationBreakerTests {
    private let scene = PaceScene()

    private func troubled(
        by reply: ValidationReply = .secretMismatch,
        change: (inout ValidationSettings) -> Void = { _ in }
    ) async throws -> Pace {
        let pace = scene.pace(change: change)
        for _ in 1...20 { #expect(try await scene.ask(pace, .sound) == .free) }
        for _ in 1...18 { #expect(try await scene.ask(pace, reply) == .free) }
        return pace
    }

    @Test(
        "The breaker opens for an app that was answered well before, and for no other app",
        arguments: [21004, 21000])
    func opens(status: Int) async throws {
        let pace = try await troubled(by: .status(status))
        #expect(scene.changes.current == [.bundlePaused("acme", status: status)])
        #expect(try await scene.ask(pace, .sound, for: "other") == .free)
        async let late = scene.admission(pace, before: .milliseconds(500))
        await scene.clock.sleepers(1)
        scene.clock.advanceToNext()
        #expect(try await late == .tooLate)
    }

    @Test("The app's requests are tried one by one, and three good answers close the breaker")
    func closes() async throws {
        let pace = try await troubled()
        #expect(try await scene.probe(pace, .secretMismatch) == .free)
        #expect(try await scene.probe(pace, .sound) == .free)
        // A good answer is followed by the next attempt at once.
        #expect(try await scene.ask(pace, .secretMismatch) == .free)
        #expect(scene.changes.current.count == 1)
        #expect(try await scene.probe(pace, .sound) == .free)
        for _ in 1...2 { #expect(try await scene.ask(pace, .sound) == .free) }
        #expect(scene.changes.current.count == 2)
        guard case .bundleResumed("acme", _) = scene.changes.current.last else {
            Issue.record("\(scene.changes.current)")
            return
        }
        for _ in 1...17 { #expect(try await scene.ask(pace, .secretMismatch) == .free) }
        #expect(scene.changes.current.count == 2)
    }

    @Test("The breaker gives up on the app after --outage-patience")
    func outlasts() async throws {
        let pace = try await troubled { $0.outagePatience = .seconds(600) }
        var asked = 0
        while try await scene.probe(pace, .secretMismatch) == .free { asked += 1 }
        // After 1, 2, 4, 8 and 16 s, then every 30 s: 600 s in all.
        #expect(asked == 23)
        #expect(scene.changes.current.last == .bundleStopped("acme", .sharedSecretRejected))
        #expect(try await scene.ask(pace, .sound) == .bundleStopped(.sharedSecretRejected))
        #expect(try await scene.ask(pace, .sound, for: "other") == .free)
    }

    @Test("Requests for the app are given up with the reason, even those waiting for their turn")
    func outlastsInTheQueue() {
        var watch = AppWatch(patience: .seconds(60), firstWait: .seconds(1))
        for number in 1...38 {
            _ = watch.note(
                "acme", number <= 20 ? .sound : .secretMismatch, hasSecret: true, at: .zero)
        }
        let before = watch.standing(of: "acme", at: .seconds(59))
        let mayBegin = watch.begin("acme", at: .seconds(60))
        let standings = (1...2).map { _ in watch.standing(of: "acme", at: .seconds(60)) }
        #expect(before == .free)
        #expect(!mayBegin)
        #expect(standings == [.gaveUp(.sharedSecretRejected), .stopped(.sharedSecretRejected)])
    }

    @Test("The breaker opens for 21000 without any good answer before, since no receipt causes it")
    func refusedRequests() async throws {
        let pace = scene.pace()
        for _ in 1...18 { #expect(try await scene.ask(pace, .status(21000)) == .free) }
        #expect(scene.changes.current == [.bundlePaused("acme", status: 21000)])
    }
}
