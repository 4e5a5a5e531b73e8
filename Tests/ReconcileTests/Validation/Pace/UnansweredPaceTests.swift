import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A run that never got an answer", .timeLimit(.minutes(10)))
struct UnansweredPaceTests {
    private let scene = PaceScene()

    @Test("The run gives up after a minute of outage, although --outage-patience is ten minutes")
    func givesUp() async throws {
        let pace = scene.pace { $0.outagePatience = .seconds(600) }
        try await scene.breakDown(pace, by: .unreachable)
        // Probes after 1, 2, 4, 8 and 16 seconds fail; the next one would be due after a minute.
        for instant in [1, 3, 7, 15, 31] {
            #expect(try await scene.probe(pace, .unreachable) == .probe)
            #expect(scene.clock.now.sinceStart == .seconds(instant))
        }
        // Otherwise the next one would wait forever.
        try #require(try await scene.probe(pace, .unreachable) == .outage)
        #expect(scene.clock.now.sinceStart == .seconds(60))
        #expect(try await scene.admission(pace) == .outage)
        #expect(
            scene.changes.current.filter { !$0.isAboutTheRate } == [
                .outageBegan(cause: "curl 7: Couldn't connect to server"),
                .outageOutlasted(after: .seconds(60)),
            ])
    }

    @Test("The run gives up earlier if --outage-patience is shorter")
    func shorterPatience() async throws {
        let pace = scene.pace { $0.outagePatience = .seconds(2) }
        try await scene.breakDown(pace, by: .unreachable)
        #expect(try await scene.probe(pace, .unreachable) == .probe)
        #expect(try await scene.probe(pace, .unreachable) == .outage)
        #expect(scene.changes.current.last == .outageOutlasted(after: .seconds(2)))
    }

    @Test(
        "Any HTTP answer gives the run the whole --outage-patience",
        arguments: [ValidationReply.sound, .troubled, .throttled, .unreadable(.noStatus)])
    func answeredBefore(reply: ValidationReply) async throws {
        let pace = scene.pace { $0.outagePatience = .seconds(600) }
        try await scene.ask(pace, reply)
        for _ in 1...49 { try await scene.ask(pace, .unreachable) }
        while try await scene.probe(pace, .unreachable) == .probe {}
        #expect(scene.clock.now.sinceStart == .seconds(600))
        #expect(scene.changes.current.last == .outageOutlasted(after: .seconds(600)))
    }

    @Test("An answer to an earlier process of the run gives it the whole --outage-patience")
    func answeredEarlier() async throws {
        let pace = scene.pace { $0.outagePatience = .seconds(600) }
        pace.recordEarlierAnswers()
        try await scene.breakDown(pace, by: .unreachable)
        while try await scene.probe(pace, .unreachable) == .probe {}
        #expect(scene.changes.current.last == .outageOutlasted(after: .seconds(600)))
    }

    @Test("A probe with the first HTTP answer gives the run the whole --outage-patience")
    func answeredByAProbe() async throws {
        let pace = scene.pace { $0.outagePatience = .seconds(600) }
        try await scene.breakDown(pace, by: .unreachable)
        #expect(try await scene.probe(pace, .troubled) == .probe)
        while try await scene.probe(pace, .unreachable) == .probe {}
        #expect(scene.changes.current.last == .outageOutlasted(after: .seconds(600)))
    }
}

extension PaceChange {
    fileprivate var isAboutTheRate: Bool {
        switch self {
        case .rateHalved, .rateRestored, .paused: true
        case .outageBegan, .outageEnded, .outageOutlasted, .bundleStopped, .bundlePaused,
            .bundleResumed, .clockDiffers,
            .retirementAnnounced:
            false
        }
    }
}
