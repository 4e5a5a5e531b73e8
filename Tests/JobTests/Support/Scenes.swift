import Foundation
import SQL

@testable import Reconcile
@testable import TestSupport

/// A database, an Apple and a folder for the reports of a run.
protocol JobScene: Sendable {
    var test: TestDatabase { get }
    var folder: TemporaryFolder { get }
    /// PostgreSQL's password of the run.
    static var password: String { get }

    /// Those of a run with these flags.
    func arguments(_ flags: [String]) throws -> [String]
}

extension JobScene {
    var reports: String { folder.path + "/reports" }

    var published: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: reports)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// The reports that `latest` leads to, after a check that their numbers agree.
    @discardableResult
    func latestReports() throws -> PublishedReports {
        let latest = try PublishedReports(reports + "/latest")
        try latest.expectToTieOut()
        return latest
    }

    /// Those of every scene, those of this one, and the flags; of repeated ones the last counts.
    fileprivate func arguments(on database: String, _ flags: [String]) -> [String] {
        // The stored rows are old, so a guard would hold every run.
        [
            "run", "--database=\(database)", "--reports=\(reports)", "--as-of=\(AppleAnswer.asOf)",
            "--shared-secrets=\(folder.path)/secrets", "--backoff=1ms", "--timeout=50s",
            "--guards=off",
        ] + flags
    }

    /// - Parameter environment: in addition to the password.
    func start(_ flags: [String] = [], environment: [String: String] = [:]) throws -> RunningJob {
        let variables = environment.merging(["PGPASSWORD": Self.password]) { $1 }
        return try RunningJob(arguments(flags), environment: variables)
    }

    func run(_ flags: String..., environment: [String: String] = [:]) async throws -> JobProcess {
        try await start(flags, environment: environment).end()
    }
}

/// A team's database, a scripted Apple and a reports folder for a nightly run.
struct NightScene: JobScene {
    static let canary = "canary-7f3a"
    static var password: String { canary }

    let test: TestDatabase
    let apple: ScriptedApple
    let folder: TemporaryFolder
    let database: String

    /// - Parameters:
    ///   - asJob: whether runs connect as a role with the job's privileges, not as the superuser.
    ///   - acts: Apple's answers by receipt or its id; all other requests are disconnected.
    ///   - onAsk: runs before every answer.
    static func with(
        asJob: Bool = false, acts: [String: [LoopbackServer.Act]] = acts,
        onAsk: @escaping @Sendable () -> Void = {},
        _ body: (NightScene) async throws -> Void
    ) async throws {
        let byReceipt = Dictionary(
            uniqueKeysWithValues: acts.map { (TestDatabase.receipt($0), $1) })
        let apple = try ScriptedApple { ask in
            onAsk()
            return byReceipt[ask.receipt] ?? acts[ask.receipt] ?? [.hangUp]
        }
        let folder = try TemporaryFolder()
        _ = try folder.write("* = \(canary)\n", to: "secrets", mode: 0o400)
        for (name, script) in scripts { _ = try folder.write(script, to: name) }
        try await TestDatabase.with(.views) { test in
            try await test.sell("pro.monthly")
            for user in Self.acts.keys { try await test.store(receipt: user, of: user) }
            try await test.store(receipt: "dan", of: "dan", data: .text("eyJh.eyJi.c2ln"))
            for user in Self.acts.keys + ["dan", "eve"] { try await test.grant(user) }
            let login = "create role \(test.name) login; grant reconcile_job to \(test.name);"
            if asJob { try await test.execute(SQL.roles.text + login) }
            let url = asJob ? test.url(user: test.name) : test.url
            try await body(NightScene(test: test, apple: apple, folder: folder, database: url))
            if asJob { try await test.execute("drop role \(test.name)") }
        }
    }

    /// For sessions, over `latest` or another folder $FROM: `sh kinds` prints "kind user" of each
    /// line of some or all files, and `sh summary` the summary without blanks.
    private static let scripts = [
        "kinds": #"""
        for file in ${*:-expirations refunds mismatches receipts cleared}; do
            echo $file: $(sed -nE 's/.*"kind":"(\w+)".*"user_id":"(\w+)".*/\1 \2/p' \
                ${FROM:-reports/latest}/$file.json)
        done | paste -sd';'
        """#,
        "summary": #"tr -d ' \n' < ${FROM:-reports/latest}/summary.json"#,
    ]

    /// `ann` has expired, `bob` is active, `cyd`'s receipt is not authentic, `flo` was refunded.
    /// `dan` has a transaction of StoreKit 2, and `eve` no receipt.
    static let acts: [String: [LoopbackServer.Act]] = [
        "ann": AppleAnswer.verified([AppleAnswer.period("1", from: -60, to: -30)]),
        "bob": AppleAnswer.verified([AppleAnswer.period("2", from: -10, to: 20)]),
        "cyd": AppleAnswer.status(21003),
        "flo": AppleAnswer.verified([AppleAnswer.period("4", from: -10, to: 20, cancelled: -5)]),
    ].mapValues { [.reply($0)] }

    /// The same answer for every receipt.
    static func all(_ act: LoopbackServer.Act) -> [String: [LoopbackServer.Act]] {
        acts.mapValues { _ in [act] }
    }

    func arguments(_ flags: [String]) -> [String] {
        // The superuser can write to the tables under the views, which a run refuses.
        let consent = database == test.url ? ["--allow-writable-role"] : []
        let urls = [
            "--production-url=\(apple.production.url)", "--sandbox-url=\(apple.sandbox.url)",
        ]
        return arguments(on: database, urls + ["--rate=1000"] + consent + flags)
    }
}

extension TestDatabase {
    /// A row that grants `user` the product beyond `AppleAnswer.asOf`.
    func grant(_ user: String) async throws {
        try await store(entitlement: "e-\(user)", of: user, expires: "2026-12-10T02:00:00Z")
    }
}

/// A team's empty database, an Apple that answers by one function, and a reports folder. The job's
/// role has only what `migrate --roles apply` grants.
struct StrangerScene: JobScene {
    static let secret = "canary-51ec7e7-of-the-app"
    static let password = "canary-9a55-of-the-role"

    let test: TestDatabase
    let apple: LoopbackServer
    let folder: TemporaryFolder

    var latest: String { reports + "/latest" }
    var database: String { test.url(user: test.name) }

    /// Apple's answer to a receipt, which is given in base64 as received.
    struct Answers: Sendable {
        let act: @Sendable (_ receipt: String) -> LoopbackServer.Act

        static func always(_ body: String) -> Self { Answers { _ in .reply(body) } }
    }

    static func with(
        _ answers: Answers, _ body: (StrangerScene) async throws -> Void
    ) async throws {
        let apple = try LoopbackServer { request in
            let body = try? JSONSerialization.jsonObject(with: Data(request.body))
            let members = body as? [String: Any] ?? [:]
            return [answers.act(members["receipt-data"] as? String ?? "")]
        }
        try await TestDatabase.with(.views) { test in
            try await test.execute(
                SQL.roles.text + "create role \(test.name) login password '\(password)';"
                    + "grant reconcile_job to \(test.name);")
            try await body(StrangerScene(test: test, apple: apple, folder: TemporaryFolder()))
            try await test.execute("drop owned by \(test.name); drop role \(test.name)")
        }
    }

    func arguments(_ flags: [String]) throws -> [String] {
        _ = try folder.write("* = \(Self.secret)\n", to: "secrets")
        let own = [
            "--production-url=\(apple.url)", "--sandbox-url=\(apple.url)", "--rate=100000",
            "--in-flight=8", "--max-unverified=100%",
        ]
        return arguments(on: database, own + flags)
    }

    func insert(_ rows: [[String?]], into table: String) async throws {
        let tuples = rows.map { row in
            let literals = row.map { $0.map { "'\($0.replacing("'", with: "''"))'" } ?? "null" }
            return "(\(literals.joined(separator: ", ")))"
        }
        try await test.execute(
            "insert into team.\(table) values " + tuples.joined(separator: ", "))
    }
}
