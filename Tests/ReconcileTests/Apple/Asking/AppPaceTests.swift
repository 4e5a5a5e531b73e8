import Testing

@testable import Reconcile
@testable import TestSupport

extension AppReceipts {
    static let acme = AppReceipts(bundle: "acme", kind: .writtenByApple)
}

/// To add a case: a test in which a scene asks about an app (`ask(.secretMismatch, times:)`), moves
/// its clock, and compares `changes`; or a row with a status and the good answers before it.
@Suite("An app whose requests Apple refuses", .hangLimit)
struct AppPaceTests {
    private let scene = PaceScene { $0.outagePatience = .seconds(600) }
    private let rejected = PaceChange.bundleStopped(.acme, .sharedSecretRejected)

    /// No receipt causes a 21000.
    @Test(
        "Requests for an app are paused, for no other one, if it was answered well, or for 21000",
        arguments: [(status: 21004, soundBefore: 20), (21000, 20), (21000, 0)])
    func paused(status: Int, soundBefore: Int) async throws {
        try await scene.ask(.sound, times: soundBefore)
        try await scene.ask(.status(status), times: 18)
        #expect(scene.changes == [.bundlePaused(.acme, status: status)])
        try await scene.ask(.sound, times: 1, for: "other")
        let late = scene.task(before: .milliseconds(500))
        await scene.clock.wake(at: .milliseconds(500))
        #expect(try await late.value == .tooLate)
    }

    @Test("An app's requests are tried one by one until three good answers or the patience end it")
    func resumed() async throws {
        try await scene.ask(.sound, times: 20)
        try await scene.ask(.secretMismatch, times: 18)
        #expect(try await scene.probe(.secretMismatch) == .free)
        #expect(try await scene.probe(.sound) == .free)
        try await scene.ask(.secretMismatch, times: 1)
        #expect(scene.changes.count == 1)
        #expect(try await scene.probe(.sound) == .free)
        try await scene.ask(.sound, times: 2)
        let duration = scene.clock.now.sinceStart
        #expect(scene.changes.last == .bundleResumed(.acme, after: duration))
        try await scene.ask(.secretMismatch, times: 17)
        #expect(scene.changes.count == 2)
        try await scene.ask(.secretMismatch, times: 1)
        var asked = 0
        while try await scene.probe(.secretMismatch) == .free { asked += 1 }
        #expect(asked == 23, "after 1, 2, 4, 8 and 16 s, then every 30 s: 600 s in all")
        #expect(scene.changes.count == 4)
        #expect(scene.changes.last == rejected)
        #expect(try await scene.ask(.sound) == .bundleStopped(.sharedSecretRejected))
        try await scene.ask(.sound, times: 1, for: "other")
    }

    @Test("Requests for the app are given up with the reason, even those waiting for their turn")
    func outlastsInTheQueue() {
        var watch = AppWatch(patience: .seconds(60), firstWait: .seconds(1))
        let request = PaceScene.question("acme")
        for _ in 1...18 { _ = watch.note(request, .notUnderstood, at: .zero) }
        let before = watch.permission(of: "acme", at: .seconds(59))
        let began = watch.isFree("acme")
        let permissions = (1...2).map { _ in watch.permission(of: "acme", at: .seconds(60)) }
        #expect(before == .isProbe)
        #expect(!began)
        #expect(permissions == [.gaveUp(.requestRefused), .stopped(.requestRefused)])
    }

    @Test("A pause without a probe is over only after one more probe")
    func untried() {
        var watch = AppWatch(patience: .seconds(60), firstWait: .seconds(1))
        let request = PaceScene.question("acme")
        for _ in 1...18 { _ = watch.note(request, .notUnderstood, at: .zero) }
        #expect(watch.permission(of: "acme", at: .seconds(300)) == .isProbe)
        #expect(watch.permission(of: "acme", at: .seconds(301)) == .gaveUp(.requestRefused))
    }

    @Test("In a pause a request that may be deferred does not wait, unless it is the try")
    func deferred() async throws {
        try await scene.ask(.sound, times: 20)
        try await scene.ask(.secretMismatch, times: 18)
        func admission() async throws -> Pace.Admission {
            try await scene.pace.admission(
                to: .production, about: PaceScene.question("acme"), before: nil,
                ifStopped: .deferred)
        }
        #expect(try await admission() == .bundleStopped(.sharedSecretRejected))
        scene.clock.advance(by: .seconds(1))
        #expect(try await admission() == .free)
        #expect(try await admission() == .bundleStopped(.sharedSecretRejected))
    }

    @Test("Requests that wait for the end of a pause take no token but for the try")
    func tokens() async throws {
        let taken = Shared(0)
        let scene = PaceScene(tokens: { _, request in
            taken.update { $0 += 1 }
            return TokenSlice(takenAt: .zero, firstDue: .zero, apart: .zero, count: 1)
        })
        try await scene.ask(.status(21000), times: 18)
        let before = taken.current
        let tasks = (1...6).map { _ in scene.task(before: .milliseconds(1_500)) }
        await scene.clock.sleepers(6)
        scene.clock.advance(by: .seconds(1))
        await scene.clock.sleepers(5)
        #expect(taken.current == before + 1)
        scene.clock.advance(by: .seconds(1))
        var admissions: [Pace.Admission] = []
        for task in tasks { admissions.append(try await task.value) }
        #expect(admissions.count { $0 == .free } == 1)
        #expect(admissions.count { $0 == .tooLate } == 5)
    }

    @Test("Requests for a bundle stop when most of its first twenty answers are 21004, not half")
    func secret() async throws {
        try await scene.ask(.sound, times: 20, for: "other")
        for (bundle, good) in [("half", 10), ("acme", 9)] as [(BundleID, Int)] {
            try await scene.ask(.sound, times: good, for: bundle)
            try await scene.ask(.secretMismatch, times: 20 - good, for: bundle)
        }
        // Later on, two thirds are not enough.
        for _ in 1...33 {
            try await scene.ask(.secretMismatch, times: 2, for: "half", hasSecret: false)
            try await scene.ask(.sound, times: 1, for: "half")
        }
        #expect(scene.changes == [rejected])
        #expect(try await scene.ask(.sound) == .bundleStopped(.sharedSecretRejected))
        try await scene.ask(.secretMismatch, times: 1, for: "other")
    }

    /// Stops the app, at zero.
    private func stop() async throws {
        try await scene.ask(.secretMismatch, times: 20)
        #expect(scene.changes == [rejected])
    }

    @Test("A stopped app is asked once a minute, until an answer frees it")
    func tried() async throws {
        try await stop()
        for _ in 1...3 {
            scene.clock.advance(by: .seconds(59))
            #expect(try await scene.ask(.sound) == .bundleStopped(.sharedSecretRejected))
            scene.clock.advance(by: .seconds(1))
            #expect(try await scene.ask(.secretMismatch) == .free)
            #expect(try await scene.ask(.sound) == .bundleStopped(.sharedSecretRejected))
        }
        scene.clock.advance(by: .seconds(60))
        #expect(try await scene.ask(.sound) == .free)
        #expect(scene.changes.last == .bundleResumed(.acme, after: .seconds(240)))
        try await scene.ask(.sound, times: 9)
        // Counted anew.
        try await scene.ask(.secretMismatch, times: 11)
        #expect(scene.changes.last == rejected)
    }

    @Test("A try that fails says nothing, and the next is sent after a minute")
    func triedInTrouble() async throws {
        try await stop()
        for reply in [ValidationReply.troubled, .elsewhere, .sound] {
            scene.clock.advance(by: .seconds(60))
            #expect(try await scene.ask(reply) == .free)
        }
        #expect(scene.changes.last == .bundleResumed(.acme, after: .seconds(180)))
    }

    @Test("Answers to requests that were sent before the stop do not free the app")
    func lateAnswers() async throws {
        try await stop()
        for _ in 1...15 { scene.note(.sound) }
        #expect(scene.changes == [rejected])
        #expect(try await scene.ask(.sound) == .bundleStopped(.sharedSecretRejected))
    }

    @Test("Only answers that say something about the secret are counted")
    func informative() async throws {
        for number in 1...19 {
            try await scene.ask(.secretMismatch, times: 1, hasSecret: false)
            try await scene.ask(.elsewhere, times: 1)
            if number.isMultiple(of: 4) { try await scene.ask(.troubled, times: 1) }
        }
        #expect(scene.changes.isEmpty)
        try await scene.ask(.secretMismatch, times: 1, hasSecret: false)
        #expect(scene.changes == [.bundleStopped(.acme, .sharedSecretMissing)])
        // Refusals of receipts say nothing, of an outage neither.
        for code in [21003, 21010] { try await scene.ask(.status(code), times: 300, for: "other") }
        #expect(scene.changes.count == 1)
    }

    @Test("At most as many bundles are counted as a team can have")
    func inventedBundles() async throws {
        for id in 1...1_000 { try await scene.ask(.sound, times: 1, for: BundleID("b\(id)")) }
        try await scene.ask(.secretMismatch, times: 30)
        try await scene.ask(.secretMismatch, times: 19, for: "b7")
        #expect(
            scene.changes == [
                .bundleStopped(
                    AppReceipts(bundle: "b7", kind: .writtenByApple), .sharedSecretRejected)
            ])
    }
}

/// To add a case: a row with --outage-patience, the seconds at which a probe is sent, and the
/// second at which the run gives up; or a reply that counts as an answer of Apple.
@Suite("A run that never got an answer", .hangLimit)
struct UnansweredPaceTests {
    @Test(
        "The run gives up after a minute of outage, or earlier if --outage-patience is shorter",
        arguments: [(patience: 600, probes: [1, 3, 7, 15, 31], end: 60), (2, [1], 2)])
    func givesUp(patience: Int, probes: [Int], end: Int) async throws {
        let scene = PaceScene { $0.outagePatience = .seconds(patience) }
        try await scene.breakDown(by: .unreachable)
        #expect(scene.changes.last == .outageBegan(cause: "curl 7: Couldn't connect to server"))
        for due in probes { #expect(try await scene.probe(.unreachable, at: due) == .probe) }
        // Otherwise the next one would wait without end.
        try #require(try await scene.probe(.unreachable, at: end) == .outage)
        #expect(try await scene.admission() == .outage)
        #expect(scene.changes.last == .outageGaveUp(after: .seconds(end)))
    }

    @Test(
        "Any HTTP answer, to a probe too, or one to an earlier process, gives the whole patience",
        arguments: [.sound, .troubled, .throttled, .unreadable(.noStatus), nil]
            as [ValidationReply?])
    func answered(reply: ValidationReply?) async throws {
        let scenes = (1...2).map { _ in PaceScene { $0.outagePatience = .seconds(600) } }
        if reply == nil { scenes[0].pace.recordEarlierAnswers() }
        try await scenes[0].ask(reply ?? .unreachable)
        try await scenes[0].ask(.unreachable, times: 49)
        try await scenes[1].breakDown(by: .unreachable)
        #expect(try await scenes[1].probe(.troubled) == .probe)
        for scene in scenes {
            while try await scene.probe(.unreachable) == .probe {}
            #expect(scene.clock.now.sinceStart == .seconds(600))
            #expect(scene.changes.last == .outageGaveUp(after: .seconds(600)))
        }
    }
}
