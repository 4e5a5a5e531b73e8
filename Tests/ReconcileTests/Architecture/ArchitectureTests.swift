import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The source rules")
struct ArchitectureTests {
    private static let rules = SourceRules(SourceTree.files)

    @Test("The sources obey the module table, the forbidden words and the limits")
    func holds() {
        #expect(SourceTree.files.count > 500 && Module.table.count == 20)
        let violations = SourceTree.files.flatMap(Self.rules.violations)
        #expect(violations.isEmpty, "\(violations.joined(separator: "\n"))")
        #expect(SourceTree.files.flatMap { $0.matches(#"nonisolated\(unsafe\)"#) }.count == 1)
    }

    @Test(
        "A violation is found, and code that only resembles one is accepted",
        arguments: textTriples(
            #"""
            Receipts | import struct Foundation.Data\nlet a: RunSummary? | Foundation RunSummary
            Receipts | func a() async {} | async
            Runs | func a() -> Int { .now } | now
            HTTP | internal import CCrypto\nlet a: Digest = Glibc.exit(1) | CCrypto Digest exit
            Reports | let a = "\(Database.self)" | Database
            Pipeline | func a(_ log: Reconcile.Log) { getenv(b) } | Log getenv
            Pipeline | internal import SQL\nlet a: FindingKind = .labelStale | SQL labelStale
            Validation | let cache: Database | Database
            Observability | let a = 0...CSVReport.b | CSVReport
            Billing | | Billing
            Storage | let a = try! b(), c: SIMD4<UInt64> = Process() | Process SIMD4 try!
            Storage | struct A: @unchecked Sendable { let a = fatalError() } | @unchecked fatalError
            Storage | let a = Task<Int, Never> { row.text(0) } | Task row.text(0)
            Storage | var a = 1\nlet b = "select 1" | select 1 var
            Storage | nonisolated(unsafe) let a = Process() | Process nonisolated(unsafe)
            Storage/Helpers | | Helpers
            ../AppStoreSimulator | internal import Reconcile | Reconcile
            ../reconcile-job | let a = "DELETE FROM a.b", b = row[1] | DELETE FROM a.b row[1]
            ../reconcile-job | switch finding.kind {} | switch
            sql | insert into app.a values (1); truncate app.b | app.a app.b
            sql | update only app.a set b = 1; delete from "App".a | "App".a app.a
            sql | create table if not exists a (b int); create schema app | a app
            sql | create unique index concurrently a on app.b (c); create role clerk | app.b clerk
            sql | create extension pgcrypto; alter table if exists app.a add b int | app.a extension
            HTTP | // Digest, try!\n/* var /* Digest */ */ let a = "Delete from the folder." |
            HTTP | let a = #"Digest "try!" \(Digest)"#, b = c.Digest |
            HTTP | func a<Digest: Equatable>(_ b: Digest) {} |
            ../reconcile-job | let a = Task { print(getenv(b)) } |
            sql | insert into reconcile.a select b from app.c on conflict (d) do update set e = 1 |
            sql | select a from app.b for update; create schema if not exists reconcile |
            sql | create temporary table a (b int); copy a from stdin; create role reconcile_job |
            sql | create trigger a after insert or update on reconcile.b execute function c() |
            sql | grant select, insert, update on app.a to b; -- update app.a set b = 1 |
            """#))
    func finds(folder: String, text: String, words: String) {
        let path = folder == "sql" ? "sql/a.sql" : "Sources/Reconcile/\(folder)/A.swift"
        let file = SourceFile(
            path.replacing("Reconcile/../", with: ""), text.replacing(#"\n"#, with: "\n"))
        let found = Self.rules.violations(in: file).flatMap { $0.groups("`([^`]*)`") }
        #expect(found.sorted().joined(separator: " ") == words)
    }

    @Test("A file has at most 300 lines, a function 50 and a line 100 columns", arguments: [0, 1])
    func limits(excess: Int) {
        let body = Array(repeating: "    b()", count: 48 + excess) + ["}"]
        let rest = Array(repeating: "", count: 249)
        let last = ["//" + String(repeating: "é", count: 98 + excess), ""]
        let text = (["func a() {"] + body + rest + last).joined(separator: "\n")
        let violations = Self.rules.violations(in: SourceFile("Tests/A.swift", text))
        let places = violations.map { $0.prefix { $0 != " " } }
        let all = ["Tests/A.swift:301:", "Tests/A.swift:1:", "Tests/A.swift:1:"]
        #expect(places == all.suffix(3 * excess).map { $0[...] })
    }

    @Test("A decision record has its four parts, in order, on at most 60 lines")
    func decisions() throws {
        for page in try SourceTree.paths(under: "docs/decisions") where page.contains("/0") {
            let text = try SourceTree.file(at: page).text
            let parts = text.groups(#"(?m)^## (.*)"#).joined(separator: " ")
            #expect(parts == "Context Decision Consequences Rejected", "\(page)")
            #expect(text.utf8.count { $0 == 10 } <= 60, "\(page)")
        }
    }

    @Test("Every path in the documents leads to a file that exists")
    func documents() throws {
        let folders = try ["docs", "packaging", "reports"].flatMap(SourceTree.paths(under:))
        for page in folders + ["README.md", "CONTRIBUTING.md"] where page.hasSuffix(".md") {
            let folder = URL(filePath: SourceTree.root + "/" + page).deletingLastPathComponent()
            // Of a link to a heading, the page.
            for target in try SourceTree.file(at: page).text.groups(#"\]\((?!http)([^)#]*)"#) {
                let file = folder.appending(path: target).path()
                #expect(FileManager.default.fileExists(atPath: file), "\(page): \(target)")
            }
        }
    }
}

@Suite("The rules of findings")
struct FindingRuleTests {
    @Test("Every kind has a file named after it that defines it, and the folder has no other file")
    func files() {
        let files = SourceTree.files.filter(\.isRule)
        let names = files.map { $0.path.split(separator: "/")[4].dropLast(6).lowercased() }
        let kinds = FindingKind.allCases.map { $0.rawValue.replacing("_", with: "") }
        #expect(names.sorted() == (kinds + ["factrules", "rowrules"]).sorted())
        for file in files where !file.path.hasSuffix("Rules.swift") {
            #expect(file.matches(#"static let \w+ = FindingKind\("#).count == 1, "\(file.path)")
        }
    }

    @Test("README lists each kind of finding with its severity and direction")
    func readme() throws {
        let page = try SourceTree.file(at: "README.md").text
        for kind in FindingKind.allCases {
            let weight = kind.lesserWeight == nil ? "\(kind.severity) | \(kind.direction) |" : ""
            let row = "(?m)^| `\(kind.rawValue)` | [^|]+ | \(weight)"
            #expect(page.groups(row.replacing("|", with: #"\|"#)).count == 1, "\(row)")
        }
    }
}

@Suite("The table of Apple's replies")
struct StatusTableTests {
    @Test("Any status has a row; only some verify, refuse, or move to the other server")
    func everyStatus() {
        // Every status around those that Apple documents, and the extremes.
        for status in Array(-2...30) + Array(20_990...21_210) + [.min, .max, 99_999] {
            for number in 0..<24 {
                let receipt = number < 12 ? Receipt.showing() : nil
                let server = number % 2 == 0 ? StoreEnvironment.production : .sandbox
                let hasSecret = number % 12 < 6
                let reply = ValidationReply.status(
                    status, isRetryable: [true, false, nil][number % 3], showing: receipt)
                let row = AppleStatus.of(reply, from: server, hasSecret: hasSecret)
                let isRight =
                    switch row.step {
                    case .verify: [0, 21006].contains(status) && receipt != nil
                    case .refuse(.notAuthentic): status == 21003 && hasSecret
                    case .refuse(.accountGone): status == 21010
                    case .refuse(.signature): false
                    case .move(let other): other != server && [21007, 21008].contains(status)
                    case .retry: row.server == .troubled
                    case .end: row.server != .troubled
                    }
                #expect(isRight, "\(reply)")
            }
        }
        for status in Array(-1...1_000) + [.min, .max] {
            let row = AppleStatus.of(.httpStatus(status), from: .production, hasSecret: true)
            #expect(row.step == .retry(.httpStatus))
            #expect(row.server == (status == 429 ? .throttled : .troubled))
        }
    }

    @Test("The document has the table of AppleStatus, row by row, and the README links it")
    func table() throws {
        let page = try SourceTree.file(at: "docs/statuses.md").text
        let table = page.split(separator: "\n").filter { $0.hasPrefix("|") }
        let head = """
            | Reply | Condition | Meaning | What is done | What it says of the server |
            |---|---|---|---|---|
            """
        let expected = ([head] + AppleStatus.all.map(\.tableRow)).joined(separator: "\n")
        // Compares bytes, since strings are also equal when they are canonically equivalent.
        let isSame = table.joined(separator: "\n").utf8.elementsEqual(expected.utf8)
        #expect(isSame, "Write into docs/statuses.md:\n\(expected)")
        #expect(try SourceTree.file(at: "README.md").text.contains("](docs/statuses.md)"))
    }
}

extension AppleStatus {
    fileprivate var tableRow: String {
        let health = Self.serverWords[server] ?? "\(server)"
        return "| \(replyWords) | \(conditionWords) | \(meaning) | \(whatIsDone) | \(health) |"
    }

    private var replyWords: String {
        func words(_ codes: ClosedRange<Int>) -> String {
            codes.count == 1 ? "\(codes.lowerBound)" : "\(codes.lowerBound)–\(codes.upperBound)"
        }
        return switch reply {
        case .status([Int.min...Int.max]): "any other status"
        case .status(let codes): "status " + codes.map(words).joined(separator: ", ")
        case .unreadable: "HTTP 200 without a status"
        case .http(Int.min...Int.max): "any other HTTP status"
        case .http(let codes): "HTTP " + words(codes)
        case .failure: "no HTTP answer"
        }
    }

    private var conditionWords: String {
        if condition == .always { return "–" }
        let words = String(condition.rawValue.trimmingPrefix("and "))
        return condition == .ownServer ? "from the server that it names" : words
    }

    private var whatIsDone: String {
        switch step {
        case .verify: "`verified`"
        case .refuse(let cause):
            "put off to the second look; refused again there: `rejected` (`\(cause.rawValue)`)"
        case .move(.sandbox): "the sandbox is asked"
        case .move(.production): "production is asked"
        case .retry where reply == .failure:
            "asked again, then `unverified` (`timeout`, `connection_failed`, `answer_too_large`)"
        case .retry(let cause): "asked again, then `unverified` (`\(cause.rawValue)`)"
        case .end(let cause): "`unverified` (`\(cause.rawValue)`) at once"
        }
    }

    private static let serverWords: [Server: String] = [
        .sound: "it works", .secretMismatch: "it works; the shared secret is wrong or missing",
        .notUnderstood: "it works, and cannot read the request",
        .elsewhere: "it works; the other server knows the receipt",
        .troubled: "it is in trouble", .throttled: "it asks for fewer requests",
    ]
}
