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
        try await scene.ask(20, pace, .sound)
        try await scene.ask(18, pace, reply)
        return pace
    }

    @Test(
        "The breaker opens for an app that was answered well before, and for no other app",
        arguments: [21004, 21000])
    func opens(status: Int) async throws {
        let pace = try await troubled(by: .status(status))
        #expect(scene.changes.current == [.bundlePaused("acme", status: status)])
        try await scene.ask(1, pace, .sound, for: "other")
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
        try await scene.ask(1, pace, .secretMismatch)
        #expect(scene.changes.current.count == 1)
        #expect(try await scene.probe(pace, .sound) == .free)
        try await scene.ask(2, pace, .sound)
        guard case .bundleResumed("acme", _) = scene.changes.current.last else {
            Issue.record("\(scene.changes.current)")
            return
        }
        try await scene.ask(17, pace, .secretMismatch)
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
        try await scene.ask(1, pace, .sound, for: "other")
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
        try await scene.ask(18, scene.pace(), .status(21000))
        #expect(scene.changes.current == [.bundlePaused("acme", status: 21000)])
    }
}

@Suite("A shared secret that Apple refuses", .timeLimit(.minutes(10)))
struct SharedSecretPaceTests {
    private let scene = PaceScene()

    @Test("Requests for a bundle stop when most of its first twenty answers are 21004")
    func secret() async throws {
        let pace = scene.pace()
        for number in 1...20 {
            try await scene.ask(1, pace, number <= 9 ? .sound : .secretMismatch)
            try await scene.ask(1, pace, .sound, for: "other")
        }
        #expect(scene.changes.current == [.bundleStopped("acme", .sharedSecretRejected)])
        #expect(try await scene.ask(pace, .sound) == .bundleStopped(.sharedSecretRejected))
        try await scene.ask(1, pace, .secretMismatch, for: "other")
    }

    @Test("Requests for a bundle go on when half of its answers are 21004, early or late")
    func mixed() async throws {
        let pace = scene.pace()
        try await scene.ask(10, pace, .sound)
        try await scene.ask(10, pace, .secretMismatch)
        for number in 1...100 {
            try await scene.ask(
                1, pace, number.isMultiple(of: 3) ? .sound : .secretMismatch, hasSecret: false)
        }
        #expect(scene.changes.current.isEmpty)
    }

    @Test("Only answers that say something about the secret are counted")
    func informative() async throws {
        let pace = scene.pace()
        for number in 1...19 {
            try await scene.ask(1, pace, .secretMismatch, hasSecret: false)
            try await scene.ask(1, pace, .elsewhere)
            if number.isMultiple(of: 4) { try await scene.ask(1, pace, .troubled) }
        }
        #expect(scene.changes.current.isEmpty)
        try await scene.ask(1, pace, .secretMismatch, hasSecret: false)
        #expect(scene.changes.current == [.bundleStopped("acme", .sharedSecretMissing)])
        // Refusals of receipts say nothing, of an outage neither.
        for status in [21003, 21010] {
            try await scene.ask(300, pace, .status(status), for: "other")
        }
        #expect(scene.changes.current.count == 1)
    }

    @Test("At most as many bundles are counted as a team can have")
    func inventedBundles() async throws {
        let pace = scene.pace()
        for number in 1...1_000 {
            try await scene.ask(1, pace, .sound, for: BundleID("b\(number)"))
        }
        try await scene.ask(30, pace, .secretMismatch)
        try await scene.ask(19, pace, .secretMismatch, for: "b7")
        #expect(scene.changes.current == [.bundleStopped("b7", .sharedSecretRejected)])
    }
}

@Suite("A run that never got an answer", .timeLimit(.minutes(10)))
struct UnansweredPaceTests {
    private let scene = PaceScene()

    @Test("The run gives up after a minute of outage, although --outage-patience is ten minutes")
    func givesUp() async throws {
        let pace = scene.pace { $0.outagePatience = .seconds(600) }
        try await scene.breakDown(pace, by: .unreachable)
        // The next one would be due after a minute.
        for instant in [1, 3, 7, 15, 31] {
            #expect(try await scene.probe(pace, .unreachable, at: .seconds(instant)) == .probe)
        }
        // Otherwise the next one would wait forever.
        try #require(try await scene.probe(pace, .unreachable, at: .seconds(60)) == .outage)
        #expect(try await scene.admission(pace) == .outage)
        let began = PaceChange.outageBegan(cause: "curl 7: Couldn't connect to server")
        #expect(scene.changes.current.contains(began))
        #expect(scene.changes.current.last == .outageOutlasted(after: .seconds(60)))
    }

    @Test("The run gives up earlier if --outage-patience is shorter")
    func shorterPatience() async throws {
        let pace = scene.pace { $0.outagePatience = .seconds(2) }
        try await scene.breakDown(pace, by: .unreachable)
        #expect(try await scene.probe(pace, .unreachable, at: .seconds(1)) == .probe)
        #expect(try await scene.probe(pace, .unreachable, at: .seconds(2)) == .outage)
        #expect(scene.changes.current.last == .outageOutlasted(after: .seconds(2)))
    }

    @Test(
        "Any HTTP answer, or one to an earlier process, gives the run the whole --outage-patience",
        arguments: [.sound, .troubled, .throttled, .unreadable(.noStatus), nil]
            as [ValidationReply?])
    func answeredBefore(reply: ValidationReply?) async throws {
        let pace = scene.pace { $0.outagePatience = .seconds(600) }
        if let reply { try await scene.ask(pace, reply) } else { pace.recordEarlierAnswers() }
        try await scene.ask(reply == nil ? 50 : 49, pace, .unreachable)
        try await expectWholePatience(of: pace)
    }

    @Test("A probe with the first HTTP answer gives the run the whole --outage-patience")
    func answeredByAProbe() async throws {
        let pace = scene.pace { $0.outagePatience = .seconds(600) }
        try await scene.breakDown(pace, by: .unreachable)
        #expect(try await scene.probe(pace, .troubled) == .probe)
        try await expectWholePatience(of: pace)
    }

    private func expectWholePatience(of pace: Pace) async throws {
        while try await scene.probe(pace, .unreachable) == .probe {}
        #expect(scene.clock.now.sinceStart == .seconds(600))
        #expect(scene.changes.current.last == .outageOutlasted(after: .seconds(600)))
    }
}
