import Testing

@testable import Reconcile
@testable import TestSupport

/// A service of `users` users with one receipt each, which proves what they are granted; and an
/// Apple that refuses some receipts.
struct SecondLookScene: Sendable {
    let test: TestDatabase
    let database: Database
    let users: Int

    static func with(
        users: Int, _ body: (SecondLookScene) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await OutageScene.fill(test, users: users)
            try await body(SecondLookScene(test: test, database: database, users: users))
        }
    }

    static func receipts(_ numbers: some Sequence<Int>) -> Set<String> {
        Set(numbers.map { TestDatabase.receipt("r\($0)", bundle: "acme") })
    }

    /// An Apple that always answers these receipts with `status`, and verifies all others.
    static func apple(
        refusing refused: Set<String>, with status: Int = 21003
    ) throws -> ScriptedApple {
        try ScriptedApple { ask in
            refused.contains(ask.receipt)
                ? [.reply(AppleAnswer.status(status))] : [OutageScene.valid(ask)]
        }
    }

    func outcomes() async throws -> [String: Int] {
        let rows = try await test.texts(
            "select concat_ws(' ', outcome, cause) from reconcile.outcome"
        ).compactMap(\.self)
        return Dictionary(rows.map { ($0, 1) }, uniquingKeysWith: +)
    }

    func users(with kind: FindingKind) async throws -> Set<String> {
        Set(
            try await test.texts(
                "select user_id from reconcile.finding where kind = '\(kind.rawValue)'"
            ).compactMap(\.self))
    }
}

extension ScriptedApple {
    var asksByReceipt: [String: Int] {
        Dictionary(asks.map { ($0.receipt, 1) }, uniquingKeysWith: +)
    }
}

extension ScriptedApple.Ask {
    /// Whether this request is refused, by a reproducible random choice.
    func isUnlucky(percent: Int, seed: UInt64) -> Bool {
        var random = SeededGenerator(seed &+ UInt64(lot) &* 7_919 &+ UInt64(attempt) &* 104_729)
        return Int.random(in: 0..<100, using: &random) < percent
    }

    /// 21003 for some receipts, and 21010 for the others.
    var refusal: LoopbackServer.Act { .reply(AppleAnswer.status(lot % 2 == 0 ? 21003 : 21010)) }
}
