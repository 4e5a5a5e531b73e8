import Testing

@testable import Reconcile
@testable import TestSupport

/// Apple's word about a shared secret may be due to the bytes that it was asked about.
/// To add a case: a `Scene` with the status of genuine receipts and of others, and who asks in
/// which order.
@Suite("A shared secret that Apple rejects, and strangers", .hangLimit)
struct RejectedSecretTests {
    private static let stopped = PaceChange.bundleStopped(.acme, .sharedSecretRejected)

    /// Apple answers every genuine receipt alike, and every other one.
    private struct Scene {
        let clock = ManualClock()
        let ofGenuine: Shared<Int>
        let ofOthers: Shared<Int>
        let genuine: [String]
        let apple: ScriptedApple
        let asking: Asking
        private let observed = Shared<[PaceChange]>([])
        var changes: [PaceChange] { observed.current }

        init(genuine statusOfGenuine: Int, others statusOfOthers: Int) throws {
            ofGenuine = Shared(statusOfGenuine)
            ofOthers = Shared(statusOfOthers)
            genuine = (1...40).map { base64(HandedIn.Genuine.pkcs7.receipt($0)) }
            apple = try ScriptedApple { [ofGenuine, ofOthers, genuine] ask in
                let isGenuine = genuine.contains(ask.receipt)
                let status = (isGenuine ? ofGenuine : ofOthers).current
                return [status == 0 ? .verified() : .status(status)]
            }
            let roots = TrustedRoots([HandedIn.apple.root.der, HandedIn.apple.middle.der])
            asking = try Asking.testing(
                apple, roots: roots, clock: clock,
                change: {
                    $0.maxAttempts = 1
                    $0.outagePatience = .zero
                },
                observe: { [observed] change in observed.update { $0.append(change) } })
        }

        private func look(at receipt: String) async throws -> ReceiptOutcome {
            try await clock.passing { try await asking.look(at: receipt) }.outcome
        }

        /// - Returns: the outcomes.
        func customers(_ numbers: ClosedRange<Int>) async throws -> Set<ReceiptOutcome> {
            var outcomes: Set<ReceiptOutcome> = []
            for number in numbers { outcomes.insert(try await look(at: genuine[number - 1])) }
            return outcomes
        }

        func strangers(_ count: Int, naming bundle: String = "acme") async throws {
            for number in 1...count {
                var payload = PayloadForge()
                payload.bundle = bundle
                payload.opaque = Array("stranger \(number)".utf8)
                _ = try await look(at: base64(ReceiptForge.receipt(payload.encoded)))
            }
        }
    }

    @Test(
        "Answers about strangers' receipts stop the app for no customer, in any order",
        arguments: [21004, 21000])
    func strangersFirst(status: Int) async throws {
        let scene = try Scene(genuine: 0, others: status)
        try await scene.strangers(40)
        #expect(try await scene.customers(1...10) == [.verified])
        try await scene.strangers(40)
        #expect(try await scene.customers(11...20) == [.verified])
        let stops = scene.changes.count
        try await scene.strangers(40)
        #expect(try await scene.customers(21...40) == [.verified])
        #expect(scene.changes.count == stops, "twenty good answers are proof enough")
    }

    @Test("An app with a wrong secret is stopped, whatever is answered about strangers")
    func hidden() async throws {
        let scene = try Scene(genuine: 21004, others: 21003)
        try await scene.strangers(30)
        _ = try await scene.customers(1...20)
        #expect(scene.changes == [Self.stopped])
    }

    @Test("A stopped app is not tried with a stranger's receipt")
    func tries() async throws {
        let scene = try Scene(genuine: 21004, others: 21003)
        _ = try await scene.customers(1...20)
        scene.clock.advance(by: .seconds(60))
        let asked = scene.apple.asks.count
        try await scene.strangers(2)
        #expect(scene.apple.asks.count == asked)
        scene.ofGenuine.update { $0 = 0 }
        #expect(try await scene.customers(21...40) == [.verified])
        #expect(scene.changes == [Self.stopped, .bundleResumed(.acme, after: .seconds(60))])
    }

    @Test("An app that only a receipt names, and not its row, is neither stopped nor remembered")
    func invented() async throws {
        let scene = try Scene(genuine: 0, others: 21004)
        try await scene.strangers(60, naming: "invented")
        scene.ofOthers.update { $0 = 21000 }
        try await scene.strangers(60, naming: "invented")
        #expect(scene.changes == [])
        #expect(scene.apple.asks.count == 120)
    }

    @Test("Apps that strangers invented leave room to watch the real one")
    func inventedApps() async throws {
        let scene = try Scene(genuine: 21004, others: 21004)
        for number in 1...1_000 { try await scene.strangers(1, naming: "invented.\(number)") }
        _ = try await scene.customers(1...20)
        #expect(scene.changes == [Self.stopped])
    }
}
