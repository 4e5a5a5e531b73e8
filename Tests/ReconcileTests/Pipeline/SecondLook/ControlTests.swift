import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Controls of the second look", .timeLimit(.minutes(10)))
struct ControlTests {
    private static let users = 60
    private static let forged = SecondLookScene.receipts([6, 16, 26, 36, 46])
    /// Neither verified nor refused, and no sign of an outage.
    private static let noAnswer = LoopbackServer.Act.reply(
        #"{"status":21199,"is_retryable":false}"#)

    @Test("If a control is refused, the group is put off and requested again with other controls")
    func refusedOnce() async throws {
        try await SecondLookScene.with(users: Self.users) { scene in
            let times = Shared<[ContinuousClock.Instant]>([])
            let apple = try ScriptedApple { ask in
                if Self.forged.contains(ask.receipt) {
                    if ask.attempt == 3 { times.update { $0.append(.now) } }
                    return [.reply(AppleAnswer.status(21003))]
                }
                var isRefused = false
                if ask.attempt > 1 {
                    times.update { times in
                        isRefused = times.isEmpty
                        if isRefused { times.append(.now) }
                    }
                }
                return [isRefused ? .reply(AppleAnswer.status(21003)) : OutageScene.valid(ask)]
            }
            let patience = Duration.milliseconds(700)
            let pass = try await Pass(scene.database, apple, patience: patience)
            try await pass.reconcile()
            let summary = try await pass.summary()
            #expect(
                try await scene.outcomes() == ["verified": 55, "rejected not_authentic": 5])
            #expect(pass.refusedControls.count == 1)
            #expect(times.current[0].duration(to: times.current[1]) >= patience)
            // Ten controls, a quarter more and one for the refused one; then all that exist.
            let controls = apple.asksByReceipt.filter { receipt, asks in
                asks > 1 && !Self.forged.contains(receipt)
            }
            #expect(controls.count == 55)
            #expect(controls.values.reduce(0) { $0 + $1 - 1 } >= 55 + 12)
            #expect(Self.forged.allSatisfy { apple.asksByReceipt[$0] == 3 })
            #expect(summary.requests.sent == apple.asks.count)
        }
    }

    @Test("A group that is too large to read at once has controls with each portion")
    func portions() async throws {
        try await SecondLookScene.with(users: Self.users) { scene in
            let users = [6, 16, 26]
            for user in users {
                try await scene.test.execute(
                    """
                    insert into team.receipts values
                    ('large-\(user)', 'u\(user)', 'acme', repeat('A', 8 << 20), now())
                    """)
            }
            let forged = SecondLookScene.receipts(users)
            let apple = try SecondLookScene.apple(refusing: forged)
            try await Pass(scene.database, apple, inFlight: 1).reconcile()
            let secondLook = apple.asks.filter { $0.attempt > 1 }.map { ask in
                forged.contains(ask.receipt) ? "user" : "control"
            }
            // Ten controls and a quarter more, so at least four with each of three users.
            let runs = secondLook.split(separator: "user", omittingEmptySubsequences: false)
            #expect(runs.count == 4)
            #expect(runs.dropFirst().dropLast().allSatisfy { $0.count >= 3 })
        }
    }

    @Test("If a control is refused again, the refusals of its group are not believed")
    func refusedTwice() async throws {
        try await SecondLookScene.with(users: Self.users) { scene in
            let apple = try ScriptedApple { ask in
                let isRefused = ask.attempt > 1 || Self.forged.contains(ask.receipt)
                return [isRefused ? .reply(AppleAnswer.status(21003)) : OutageScene.valid(ask)]
            }
            let pass = try await Pass(scene.database, apple)
            try await pass.reconcile()
            let summary = try await pass.summary()
            #expect(
                try await scene.outcomes()
                    == ["verified": 55, "unverified refusal_unconfirmed": 5])
            #expect(try await pass.findings(scene.test) == [])
            #expect(!pass.refusedControls.isEmpty)
            #expect(Self.forged.allSatisfy { apple.asksByReceipt[$0] == 3 })
            #expect(summary.requests.sent == apple.asks.count)
            let details = try await scene.test.texts(
                "select distinct detail from reconcile.outcome where outcome = 'unverified'")
            #expect(details == ["status 21003 (production, attempt 1)"])
        }
    }

    @Test(
        "Controls without an answer are replaced, and confirm nothing",
        arguments: [
            (silent: 8, outcome: "rejected not_authentic"),
            (silent: 55, outcome: "unverified refusal_unconfirmed"),
        ])
    func unanswered(most: (silent: Int, outcome: String)) async throws {
        try await SecondLookScene.with(users: Self.users) { scene in
            let silent = Shared<Set<String>>([])
            let apple = try ScriptedApple { ask in
                if Self.forged.contains(ask.receipt) {
                    return [.reply(AppleAnswer.status(21003))]
                }
                guard ask.attempt > 1 else { return [OutageScene.valid(ask)] }
                let isSilent = silent.update { receipts in
                    if receipts.count < most.silent { receipts.insert(ask.receipt) }
                }.contains(ask.receipt)
                return [isSilent ? Self.noAnswer : OutageScene.valid(ask)]
            }
            let pass = try await Pass(scene.database, apple)
            try await pass.reconcile()
            _ = try await pass.summary()
            #expect(try await scene.outcomes() == ["verified": 55, most.outcome: 5])
        }
    }

    @Test("Receipts that the sandbox refuses have controls that the sandbox verified")
    func sandbox() async throws {
        try await SecondLookScene.with(users: Self.users) { scene in
            let ofSandbox = SecondLookScene.receipts(1...30)
            let refused = SecondLookScene.receipts([6, 16, 26])
            let apple = try ScriptedApple { ask in
                if ask.environment == .sandbox, refused.contains(ask.receipt) {
                    return [.reply(AppleAnswer.status(21003))]
                }
                if ask.environment == .production, ofSandbox.contains(ask.receipt) {
                    return [.reply(AppleAnswer.status(21007))]
                }
                return [.reply(AppleAnswer.verified(environment: ask.environment))]
            }
            let pass = try await Pass(scene.database, apple)
            try await pass.reconcile()
            let summary = try await pass.summary()
            #expect(try await scene.outcomes() == ["verified": 57, "rejected not_authentic": 3])
            let controls = Dictionary(
                apple.sandbox.requests.map { ($0.receipt, 1) }, uniquingKeysWith: +
            ).filter { $0.value > 1 && !refused.contains($0.key) }
            #expect(controls.count >= 10)
            #expect(summary.requests.production == apple.production.requests.count)
            #expect(summary.requests.sandbox == apple.sandbox.requests.count)
        }
    }

    @Test("A refusal by the other server does not confirm the first one")
    func otherServer() async throws {
        try await SecondLookScene.with(users: Self.users) { scene in
            let odd = SecondLookScene.receipts([9])
            let apple = try ScriptedApple { ask in
                guard odd.contains(ask.receipt) else { return [OutageScene.valid(ask)] }
                let isMoved = ask.environment == .production && ask.attempt > 1
                return [.reply(AppleAnswer.status(isMoved ? 21007 : 21003))]
            }
            let pass = try await Pass(scene.database, apple)
            try await pass.reconcile()
            let summary = try await pass.summary()
            #expect(
                try await scene.outcomes()
                    == ["verified": 59, "unverified refusal_unconfirmed": 1])
            #expect(apple.sandbox.requests.count == 2)
            #expect(summary.requests.sent == apple.asks.count)
        }
    }
}
