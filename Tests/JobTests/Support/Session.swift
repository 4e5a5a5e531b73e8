import Foundation
import SQL
import Testing

@testable import TestSupport

/// An operator's session: a team's database, a scripted Apple and a folder, in which the built
/// program is run. Nightly runs are in a role with only the rights that `migrate --roles apply`
/// grants. `Tests/README.md` shows the verbs.
struct Session: Sendable {
    static let secret = "canary-51ec7e7-of-the-app"
    static let password = "canary-9a55-of-the-role"

    let test: TestDatabase
    let apple: ScriptedApple
    let folder: TemporaryFolder
    /// Those of every run; of repeated ones the last counts.
    let flags: [String]

    /// The team's tables are empty. Every run gets the flags `more`. Apple answers to a receipt, or
    /// the one of an id, by `acts`, and to any other by `others`, after `onAsk`.
    static func empty(
        _ more: [String] = ["--max-unverified=100%"], acts: [String: LoopbackServer.Act] = [:],
        others: LoopbackServer.Act = .hangUp, onAsk: @escaping @Sendable () -> Void = {},
        _ body: (Session) async throws -> Void
    ) async throws {
        let acts = acts.merging(acts.map { (TestDatabase.receipt($0), $1) }) { $1 }
        let apple = try ScriptedApple {
            onAsk()
            return [acts[$0.receipt] ?? others]
        }
        let folder = try TemporaryFolder()
        try folder.write("* = \(secret)\n", to: "secrets", mode: 0o400)
        try await TestDatabase.with(.views) { test in
            try await test.execute(
                SQL.roles.text + "create role \(test.name) login password '\(password)';"
                    + "grant reconcile_job to \(test.name);")
            // The stored rows are old, so a guard would hold every run.
            let flags = [
                "--database=\(test.url(user: test.name))", "--reports=\(folder.path)/reports",
                "--as-of=\(AppleAnswer.asOf)", "--shared-secrets=\(folder.path)/secrets",
                "--production-url=\(apple.production.url)", "--sandbox-url=\(apple.sandbox.url)",
                "--rate=100000", "--backoff=1ms", "--timeout=50s", "--connect-timeout=50s",
                "--guards=off",
            ]
            try await body(
                Session(test: test, apple: apple, folder: folder, flags: flags + more))
            try await test.execute("drop owned by \(test.name); drop role \(test.name)")
        }
    }

    /// The users of `acts` below are granted a product, and have a receipt. So are two more: `dan`
    /// has a transaction of StoreKit 2, and `eve` no receipt.
    static func with(
        acts: [String: LoopbackServer.Act] = acts, others: LoopbackServer.Act = .hangUp,
        onAsk: @escaping @Sendable () -> Void = {}, _ body: (Session) async throws -> Void
    ) async throws {
        try await empty([], acts: acts, others: others, onAsk: onAsk) { session in
            try await session.test.sell("pro.monthly")
            for user in Self.acts.keys { try await session.test.store(receipt: user, of: user) }
            try await session.test.store(receipt: "dan", of: "dan", data: .text("eyJh.eyJi.c2ln"))
            for user in Self.acts.keys + ["dan", "eve"] { try await session.grant(user) }
            try await body(session)
        }
    }

    /// `ann` has expired, `bob` is active, `cyd`'s receipt is not authentic, `flo` was refunded.
    static let acts: [String: LoopbackServer.Act] = [
        "ann": AppleAnswer.verified([AppleAnswer.period("1", from: -60, to: -30)]),
        "bob": AppleAnswer.verified([AppleAnswer.period("2", from: -10, to: 20)]),
        "cyd": AppleAnswer.status(21003),
        "flo": AppleAnswer.verified([AppleAnswer.period("4", from: -10, to: 20, cancelled: -5)]),
    ].mapValues { .reply($0) }

    /// A row that grants `user` the product beyond `AppleAnswer.asOf`.
    func grant(_ user: String) async throws {
        try await test.store(entitlement: "e-\(user)", of: user, expires: "2026-12-10T02:00:00Z")
    }
}
