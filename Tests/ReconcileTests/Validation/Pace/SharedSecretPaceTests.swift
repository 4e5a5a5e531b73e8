import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A shared secret that Apple refuses", .timeLimit(.minutes(10)))
struct SharedSecretPaceTests {
    private let scene = PaceScene()

    @Test("Requests for a bundle stop when most of its first twenty answers are 21004")
    func secret() async throws {
        let pace = scene.pace()
        for number in 1...20 {
            #expect(try await scene.ask(pace, number <= 9 ? .sound : .secretMismatch) == .free)
            try await scene.ask(pace, .sound, for: "other")
        }
        #expect(scene.changes.current == [.bundleStopped("acme", .sharedSecretRejected)])
        #expect(try await scene.ask(pace, .sound) == .bundleStopped(.sharedSecretRejected))
        #expect(try await scene.ask(pace, .secretMismatch, for: "other") == .free)
    }

    @Test("Requests for a bundle go on when half of its answers are 21004, early or late")
    func mixed() async throws {
        let pace = scene.pace()
        for number in 1...20 {
            try await scene.ask(pace, number <= 10 ? .sound : .secretMismatch)
        }
        for number in 1...100 {
            let reply = number.isMultiple(of: 3) ? ValidationReply.sound : .secretMismatch
            #expect(try await scene.ask(pace, reply, hasSecret: false) == .free)
        }
        #expect(scene.changes.current.isEmpty)
    }

    @Test("Only answers that say something about the secret are counted")
    func informative() async throws {
        let pace = scene.pace()
        for number in 1...19 {
            try await scene.ask(pace, .secretMismatch, hasSecret: false)
            try await scene.ask(pace, .elsewhere)
            if number.isMultiple(of: 4) { try await scene.ask(pace, .troubled) }
        }
        #expect(scene.changes.current.isEmpty)
        try await scene.ask(pace, .secretMismatch, hasSecret: false)
        #expect(scene.changes.current == [.bundleStopped("acme", .sharedSecretMissing)])
    }

    @Test("At most as many bundles are counted as a team can have")
    func inventedBundles() async throws {
        let pace = scene.pace()
        for number in 1...1_000 { try await scene.ask(pace, .sound, for: BundleID("b\(number)")) }
        for _ in 1...30 { #expect(try await scene.ask(pace, .secretMismatch) == .free) }
        for _ in 1...19 { try await scene.ask(pace, .secretMismatch, for: "b7") }
        #expect(scene.changes.current == [.bundleStopped("b7", .sharedSecretRejected)])
    }

    @Test(
        "Refusals of receipts do not count as a wrong secret, nor as an outage",
        arguments: [21003, 21010])
    func refusals(status: Int) async throws {
        let pace = scene.pace()
        for _ in 1...300 { #expect(try await scene.ask(pace, .status(status)) == .free) }
        #expect(scene.changes.current.isEmpty)
    }
}
