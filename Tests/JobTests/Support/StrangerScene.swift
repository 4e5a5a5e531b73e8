import Foundation
import SQL

@testable import Reconcile
@testable import TestSupport

/// A team's empty database, an Apple that answers by one function, and a reports folder. The job's
/// role has only what `migrate --roles apply` grants.
struct StrangerScene: Sendable {
    static let secret = "canary-51ec7e7-of-the-app"
    static let password = "canary-9a55-of-the-role"

    let test: TestDatabase
    let apple: LoopbackServer
    let folder: TemporaryFolder

    var reports: String { folder.path + "/reports" }
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
            let role = """
                create role \(test.name) login password '\(password)';
                grant reconcile_job to \(test.name);
                """
            try await test.execute(SQL.roles.text + role)
            let scene = StrangerScene(test: test, apple: apple, folder: try TemporaryFolder())
            try await body(scene)
            try await test.execute("drop owned by \(test.name); drop role \(test.name)")
        }
    }

    func arguments(_ flags: [String]) throws -> [String] {
        let secrets = try folder.write("* = \(Self.secret)\n", to: "secrets")
        let defaults = [
            "--database=\(database)", "--reports=\(reports)", "--shared-secrets=\(secrets)",
            "--production-url=\(apple.url)", "--sandbox-url=\(apple.url)",
            "--as-of=\(AppleAnswer.asOf)", "--rate=100000", "--in-flight=8", "--backoff=1ms",
            "--timeout=50s", "--max-unverified=100%",
            // The rows are few and strange, so a guard would hold every run.
            "--guards=off",
        ]
        let names = flags.map { $0.prefix { $0 != "=" } }
        return ["run"] + defaults.filter { !names.contains($0.prefix { $0 != "=" }) } + flags
    }

    func start(_ flags: [String] = [], fileBlocks: Int? = nil) throws -> RunningJob {
        try RunningJob(
            arguments(flags), environment: ["PGPASSWORD": Self.password], fileBlocks: fileBlocks)
    }

    func run(_ flags: String..., fileBlocks: Int? = nil) async throws -> JobProcess {
        try await start(flags, fileBlocks: fileBlocks).end()
    }

    var published: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: reports)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    static func literal(_ text: String?) -> String {
        text.map { "'\($0.replacing("'", with: "''"))'" } ?? "null"
    }

    func insert(_ rows: [[String?]], into table: String) async throws {
        let tuples = rows.map { row in
            "(" + row.map(Self.literal).joined(separator: ", ") + ")"
        }
        try await test.execute(
            "insert into team.\(table) values " + tuples.joined(separator: ", "))
    }
}

/// A CSV file by RFC 4180: cells may contain line breaks and quotation marks.
struct CSVTable {
    let header: [String]
    let rows: [[String: String]]

    init(_ text: String) {
        var lines: [[String]] = [[]]
        var cell: [UInt8] = []
        var isQuoted = false
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            switch byte {
            case UInt8(ascii: "\"") where isQuoted && next == byte:
                cell.append(byte)
                index += 1
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted:
                lines[lines.count - 1].append(String(decoding: cell, as: UTF8.self))
                cell = []
            case 13 where !isQuoted && next == 10:
                lines[lines.count - 1].append(String(decoding: cell, as: UTF8.self))
                cell = []
                index += 1
                lines.append([])
            default: cell.append(byte)
            }
            index += 1
        }
        header = lines.first ?? []
        rows = lines.dropFirst().filter { !$0.isEmpty }.map { [header] line in
            Dictionary(uniqueKeysWithValues: zip(header, line))
        }
    }
}
