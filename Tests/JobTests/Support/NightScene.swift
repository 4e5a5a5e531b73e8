import Foundation
import SQL

@testable import Reconcile
@testable import TestSupport

/// A team's database, a scripted Apple and a reports folder for a nightly run.
struct NightScene: Sendable {
    enum Login: String, Sendable, CaseIterable { case superuser, nightly }

    static let canary = "canary-7f3a"

    let test: TestDatabase
    let apple: ScriptedApple
    let folder: TemporaryFolder
    let database: String
    let secrets: String

    /// - Parameters:
    ///   - acts: Apple's answers by receipt id; all other requests are disconnected.
    ///   - onAsk: runs before every answer.
    static func with(
        _ login: Login = .superuser, acts: [String: [LoopbackServer.Act]] = acts,
        onAsk: @escaping @Sendable () -> Void = {},
        _ body: (NightScene) async throws -> Void
    ) async throws {
        let byReceipt = Dictionary(
            uniqueKeysWithValues: acts.map { (TestDatabase.receipt($0), $1) })
        let apple = try ScriptedApple { ask in
            onAsk()
            return byReceipt[ask.receipt] ?? [.hangUp]
        }
        let folder = try TemporaryFolder()
        let secrets = try folder.write("* = \(canary)\n", to: "secrets")
        try await TestDatabase.with(.views) { test in
            try await fill(test)
            var url = test.url
            if login == .nightly {
                try await test.execute(
                    SQL.roles.text
                        + "create role \(test.name) login; grant reconcile_job to \(test.name);")
                url = test.url(user: test.name)
            }
            let scene = NightScene(
                test: test, apple: apple, folder: folder, database: url, secrets: secrets)
            try await body(scene)
            if login == .nightly { try await test.execute("drop role \(test.name)") }
        }
    }

    /// One user for each course of a validation; `eve` has no receipt.
    private static func fill(_ test: TestDatabase) async throws {
        try await test.sell("pro.monthly")
        for user in acts.keys { try await test.store(receipt: user, of: user) }
        try await test.store(receipt: "dan", of: "dan", data: .text("eyJh.eyJi.c2ln"))
        for user in acts.keys + ["dan", "eve"] {
            try await test.store(
                entitlement: "e-\(user)", of: user, expires: "2026-12-10T02:00:00Z")
        }
    }

    /// `ann` has expired, `bob` is active, `cyd`'s receipt is not authentic, `flo` was refunded.
    static let acts: [String: [LoopbackServer.Act]] = [
        "ann": [.reply(AppleAnswer.verified([AppleAnswer.period("1", from: -60, to: -30)]))],
        "bob": [.reply(AppleAnswer.verified([AppleAnswer.period("2", from: -10, to: 20)]))],
        "cyd": [.reply(AppleAnswer.status(21003))],
        "flo": [
            .reply(
                AppleAnswer.verified([
                    AppleAnswer.period("4", from: -10, to: 20, cancelled: -5)
                ]))
        ],
    ]

    /// The same answer for every receipt.
    static func all(_ act: LoopbackServer.Act) -> [String: [LoopbackServer.Act]] {
        acts.mapValues { _ in [act] }
    }

    var reports: String { folder.path + "/reports" }

    var published: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: reports)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    func arguments(_ arguments: [String]) -> [String] {
        var defaults = [
            ("database", database), ("reports", reports), ("shared-secrets", secrets),
            ("production-url", apple.production.url), ("sandbox-url", apple.sandbox.url),
            ("as-of", AppleAnswer.asOf), ("rate", "1000"), ("backoff", "1ms"), ("timeout", "50s"),
            // The stored rows are old, so a guard would hold every run.
            ("guards", "off"),
        ]
        defaults.removeAll { name, _ in
            arguments.contains { $0 == "--\(name)" || $0.hasPrefix("--\(name)=") }
        }
        // The superuser can write to the tables under the views, which a run refuses.
        let consent = database == test.url ? ["--allow-writable-role"] : []
        return ["run"] + consent + defaults.map { "--\($0)=\($1)" } + arguments
    }

    /// - Parameter environment: in addition to PostgreSQL's password.
    func start(
        _ arguments: [String] = [], environment: [String: String] = [:], umask: String? = nil
    ) throws -> RunningJob {
        try RunningJob(
            self.arguments(arguments),
            environment: ["PGPASSWORD": Self.canary].merging(environment) { $1 }, umask: umask)
    }

    func run(
        _ arguments: String..., environment: [String: String] = [:], umask: String? = nil
    ) async throws -> JobProcess {
        try await start(arguments, environment: environment, umask: umask).end()
    }
}
