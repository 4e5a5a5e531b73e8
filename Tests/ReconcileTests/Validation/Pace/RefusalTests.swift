import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A refusal", .timeLimit(.minutes(5)))
struct RefusalTests {
    private let scene = PaceScene()

    @Test("is believed, and no trouble, while refusals are rare")
    func rare() async throws {
        let pace = scene.pace()
        for number in 1...49 { try await scene.ask(pace, number <= 2 ? .rejection : .sound) }
        let standing = await scene.note(pace, .sound, after: .free)
        #expect(standing == Pace.Standing(number: 50, believesRejections: true))
        #expect(scene.changes.current.isEmpty)
    }

    @Test("is trouble in a storm: it slows the run down, and stops it")
    func storm() async throws {
        let pace = scene.pace()
        for _ in 1...24 { try await scene.ask(pace, .rejection) }
        let standing = await scene.note(pace, .rejection, after: .free)
        #expect(standing == Pace.Standing(number: 25, believesRejections: false))
        #expect(await pace.doubts([1, 25]))
        for _ in 1...25 { try await scene.ask(pace, .rejection) }
        #expect(
            scene.changes.current == [
                .rejectionsDoubted, .rateHalved(.production, perSecond: 5_000), .outageBegan,
            ])
    }

    @Test("of a receipt that was refused before says nothing new")
    func echo() async throws {
        let pace = scene.pace()
        for _ in 1...97 { try await scene.ask(pace, .sound) }
        for count in 0..<10 {
            let standing = await scene.note(
                pace, .rejection, after: .free,
                isRefusedBefore: count > 0)
            #expect(standing.number == 98)
        }
        #expect(scene.changes.current.isEmpty)
    }

    @Test("is one of the two that refuse a receipt only from the same server, by the same status")
    func sameWords() {
        let policy = RetryPolicy(maxAttempts: 4, base: .seconds(1), deadline: .seconds(60))
        let verification = Verification(policy: policy, hasSecret: true)
        var report = ValidationReport()
        report.conclude(
            .rejected(.notAuthentic), after: verification,
            last: Attempt(
                reply: .httpStatus(200), retryAfter: nil,
                standing: Pace.Standing(number: 9, believesRejections: true)),
            refusals: [
                Refusal(.production, .notAuthentic, 3), Refusal(.production, .accountGone, 5),
                Refusal(.sandbox, .notAuthentic, 7), Refusal(.production, .notAuthentic, 9),
            ])
        #expect(report.refusedBy == [3, 9])
    }

    @Test("is not believed if one of two is beyond doubt")
    func oneOfTwo() async throws {
        let pace = scene.pace()
        for _ in 1...1_000 { try await scene.ask(pace, .sound) }
        for _ in 1...13 { try await scene.ask(pace, .rejection) }
        #expect(await pace.doubts([500, 1_013]))
        #expect(await !pace.doubts([500, 600]))
        #expect(await !pace.doubts([500, 600, 1_013]))
    }

    @Test("before this worker came is counted, and has the number it had")
    func recalled() async throws {
        let pace = scene.pace()
        let (early, late): ([UInt8], [UInt8]) = ([1], [2])
        await pace.recall(
            RefusalHistory(
                answers: 5_000,
                refusals: [
                    RefusalHistory.Refusal(question: early, number: 1_000),
                    RefusalHistory.Refusal(question: late, number: 4_999),
                ]))
        #expect(await pace.refusals(ofRecorded: early) == [1_000, 1_000])
        #expect(await pace.refusals(ofRecorded: late) == [4_999, 4_999])
        #expect(await pace.refusals(ofRecorded: []) == [5_000, 5_000])
        let standing = await scene.note(pace, .rejection, after: .free)
        #expect(standing == Pace.Standing(number: 5_001, believesRejections: true))
    }

    @Test("of the shared secret stops a bundle when most of its first twenty answers are 21004")
    func secret() async throws {
        let pace = scene.pace()
        for number in 1...20 {
            #expect(try await scene.ask(pace, number <= 9 ? .sound : .secretMismatch) == .free)
            try await scene.ask(pace, .sound, for: "other")
        }
        #expect(scene.changes.current == [.bundleStopped("acme", hasSecret: true)])
        #expect(try await scene.ask(pace, .sound) == .bundleStopped)
        #expect(try await scene.ask(pace, .secretMismatch, for: "other") == .free)
    }

    @Test("of the shared secret does not stop a bundle when half of them are, or later ones")
    func mixed() async throws {
        let pace = scene.pace()
        for number in 1...20 {
            try await scene.ask(pace, number <= 10 ? .sound : .secretMismatch)
        }
        for _ in 1...100 {
            #expect(try await scene.ask(pace, .secretMismatch, hasSecret: false) == .free)
        }
        #expect(scene.changes.current.isEmpty)
    }

    @Test("of the shared secret is looked for in what says something about it")
    func informative() async throws {
        let pace = scene.pace()
        for number in 1...19 {
            try await scene.ask(pace, .secretMismatch, hasSecret: false)
            try await scene.ask(pace, .elsewhere)
            if number.isMultiple(of: 4) { try await scene.ask(pace, .troubled) }
        }
        #expect(scene.changes.current.isEmpty)
        try await scene.ask(pace, .secretMismatch, hasSecret: false)
        #expect(scene.changes.current == [.bundleStopped("acme", hasSecret: false)])
    }

    @Test("of the shared secret is not looked for in more bundles than a team has")
    func inventedBundles() async throws {
        let pace = scene.pace()
        for number in 1...1_000 { try await scene.ask(pace, .sound, for: BundleID("b\(number)")) }
        for _ in 1...30 { #expect(try await scene.ask(pace, .secretMismatch) == .free) }
        for _ in 1...19 { try await scene.ask(pace, .secretMismatch, for: "b7") }
        #expect(scene.changes.current == [.bundleStopped("b7", hasSecret: true)])
    }
}
