import Testing

@testable import Reconcile
@testable import TestSupport

/// Apple refuses genuine receipts. Serialized, since PostgreSQL limits the number of connections.
@Suite(
    "The second look while Apple wrongly refuses receipts", .serialized, .timeLimit(.minutes(10)))
struct StormTests {
    private static let users = 240

    struct Storm: Sendable, CustomTestStringConvertible {
        /// The share of refused requests.
        let percent: Int
        /// The affected requests, counted from 1.
        let requests: ClosedRange<Int>

        var testDescription: String {
            let end = requests.upperBound == .max ? "the end" : "\(requests.upperBound)"
            return "\(percent) % of requests \(requests.lowerBound) to \(end)"
        }

        static func all(_ requests: ClosedRange<Int>...) -> [Storm] {
            requests.flatMap { requests in
                [5, 45, 100].map { Storm(percent: $0, requests: requests) }
            }
        }

        func apple(seed: UInt64 = 1) throws -> ScriptedApple {
            let answered = Shared(0)
            return try ScriptedApple { ask in
                let number = answered.update { $0 += 1 }
                let isRefused =
                    requests.contains(number) && ask.isUnlucky(percent: percent, seed: seed)
                return [isRefused ? ask.refusal : OutageScene.valid(ask)]
            }
        }
    }

    @Test(
        "If the refusals end by the second look, or during it, every receipt is verified",
        arguments: Storm.all(1...80, 81...160, 161...240, 200...255))
    func over(storm: Storm) async throws {
        try await SecondLookScene.with(users: Self.users) { scene in
            let apple = try storm.apple()
            let pass = try await Pass(scene.database, apple, usersPerBatch: 50, inFlight: 16)
            try await pass.reconcile()
            let summary = try await pass.summary()
            #expect(try await scene.outcomes() == ["verified": Self.users])
            #expect(try await pass.findings(scene.test) == [])
            #expect(summary.requests.sent == apple.asks.count)
            #expect(!pass.secondLooks.isEmpty || storm.percent == 5)
        }
    }

    @Test(
        "If the refusals go on, no receipt is rejected and no user is accused",
        arguments: Storm.all(1...Int.max, 121...Int.max, 200...Int.max, 241...Int.max))
    func lasting(storm: Storm) async throws {
        try await SecondLookScene.with(users: Self.users) { scene in
            let apple = try storm.apple()
            let pass = try await Pass(scene.database, apple, usersPerBatch: 50, inFlight: 16)
            try await pass.reconcile()
            let receipts = try await pass.summary().receipts
            #expect(receipts.rejected == 0)
            #expect(receipts.verified + receipts.unverified == Self.users)
            #expect(try await pass.findings(scene.test) == [])
            #expect(try await pass.summary().requests.sent == apple.asks.count)
            let outcomes = Set(try await scene.outcomes().keys)
            #expect(outcomes.isSubset(of: ["verified", "unverified refusal_unconfirmed"]))
        }
    }

    @Test(
        "If the refusals go on, even a receipt that was refused three times is not rejected",
        arguments: [3, 10, 11, 15, 53] as [UInt64])
    func threeTimes(seed: UInt64) async throws {
        try await SecondLookScene.with(users: Self.users) { scene in
            let apple = try Storm(percent: 10, requests: 1...Int.max).apple(seed: seed)
            let pass = try await Pass(scene.database, apple, usersPerBatch: 50, inFlight: 16)
            try await pass.reconcile()
            let receipts = try await pass.summary().receipts
            #expect(receipts.rejected == 0)
        }
    }

    @Test("A forged receipt is found though genuine ones were refused in the first look")
    func forgedAmongGenuine() async throws {
        try await SecondLookScene.with(users: Self.users) { scene in
            let forged = SecondLookScene.receipts([7, 77, 177])
            let answered = Shared(0)
            let apple = try ScriptedApple { ask in
                let isStorm = answered.update { $0 += 1 } <= 120
                let isRefused =
                    forged.contains(ask.receipt)
                    || isStorm && ask.isUnlucky(percent: 45, seed: 2)
                return [isRefused ? .reply(AppleAnswer.status(21003)) : OutageScene.valid(ask)]
            }
            let pass = try await Pass(scene.database, apple, usersPerBatch: 50, inFlight: 16)
            try await pass.reconcile()
            _ = try await pass.summary()
            #expect(
                try await scene.outcomes()
                    == ["verified": Self.users - 3, "rejected not_authentic": 3])
            // Apple verifies the others in the third look, and there is no fourth.
            for receipt in forged { #expect(apple.asksByReceipt[receipt] == 3) }
        }
    }

    @Test(
        "Wrong refusals of one server accuse no user, though the other verifies every receipt",
        arguments: StoreEnvironment.allCases, [21003, 21010])
    func oneServer(stormy: StoreEnvironment, status: Int) async throws {
        try await SecondLookScene.with(users: 60) { scene in
            let ofSandbox = SecondLookScene.receipts(1...30)
            let apple = try ScriptedApple { ask in
                let isMoved = ask.environment == .production && ofSandbox.contains(ask.receipt)
                if isMoved { return [.reply(AppleAnswer.status(21007))] }
                guard ask.environment != stormy else { return [.reply(AppleAnswer.status(status))] }
                return [.reply(AppleAnswer.verified(environment: ask.environment))]
            }
            let pass = try await Pass(scene.database, apple)
            try await pass.reconcile()
            _ = try await pass.summary()
            #expect(
                try await scene.outcomes()
                    == ["verified": 30, "unverified refusal_unconfirmed": 30])
        }
    }
}
