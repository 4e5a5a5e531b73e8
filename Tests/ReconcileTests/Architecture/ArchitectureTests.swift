import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The source rules")
struct ArchitectureTests {
    private static let rules = SourceRules(SourceTree.files)

    @Test("The sources obey the module table, the forbidden words and the limits")
    func holds() {
        #expect(SourceTree.files.count > 500)
        #expect(FolderTable.documented.rows.count == 27)
        let violations = SourceTree.files.flatMap(Self.rules.violations)
        #expect(violations.isEmpty, "\(violations.joined(separator: "\n"))")
        let unused = Self.rules.unusedPermissions(in: SourceTree.files)
        #expect(unused.isEmpty, "\(unused.joined(separator: "\n"))")
        #expect(SourceTree.files.flatMap { $0.matches(#"nonisolated\(unsafe\)"#) }.count == 1)
    }

    @Test(
        "A violation is found, and code that only resembles one is accepted",
        arguments: #"""
            Encoding | import struct Foundation.Data\nlet a: Summary? | Foundation Summary
            Purchases | let a: Catalog?, b: Instant | Catalog
            Apple/Stored | let a: ValidationReport, b: SharedSecret | SharedSecret
            Apple/VerifyReceipt | let a: OfflineReading, b: HTTPClient | OfflineReading
            Apple/Asking | let a: AppleStatus, b: StoredProofs | AppleStatus StoredProofs
            Pipeline | let a: any AppleSource, b: VerifyReceipt | VerifyReceipt
            Apple/Letters | | Apple/Letters
            Runs | func a() async -> Int { .now } | async now
            HTTP | internal import CCrypto\nlet a: Digest = Glibc.exit(1) | CCrypto Digest exit
            Reports | let a = "\(Database.self)" | Database
            Reports | let a = cells[3], b = cells[column] | cells[3]
            Pipeline | func a(_ log: Reconcile.Log) { getenv(b) } | Log getenv
            Pipeline | internal import SQL\nlet a: FindingKind = .labelStale | SQL labelStale
            Observability | let a = 0...CSVReport.b | CSVReport
            Billing | | Billing
            Storage | var a = try! b(), c: SIMD4<UInt64> = Process() | Process SIMD4 try! var
            Storage | let a: VerifyReceiptAnswer, b: Refusal | Refusal VerifyReceiptAnswer
            Storage | struct A: @unchecked Sendable { let a = fatalError() } | @unchecked fatalError
            Storage | let a = Task<Int, Never> { row.text(0) } | Task row.text(0)
            Storage | nonisolated(unsafe) let a = "select 1" | nonisolated(unsafe) select 1
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
            """#.triples)
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

@Suite("The documents and the Debian package")
struct DocumentTests {
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

    @Test("Every location of nginx limits a client's requests and connections")
    func locations() throws {
        let text = try SourceTree.file(at: "packaging/nginx/receipt-service.conf").text
        let locations = text.groups(#"(?s)    location (= /[a-z-]+ \{.*?\n    \})"#)
        #expect(locations.count == 4)
        for location in locations {
            #expect(location.contains("limit_req zone="), "\(location)")
            #expect(location.contains("limit_conn clients "), "\(location)")
        }
    }

    @Test("Every folder that a unit or the log rotation relies on is made for the job's account")
    func folders() throws {
        let made = try SourceTree.file(at: "packaging/debian/reconcile-job.tmpfiles").text
        for (path, pattern) in [
            ("systemd/reconcile-job.service", "(?m)^(?:ReadWritePaths=|EnvironmentFile=-?)(.*)"),
            ("systemd/reconcile-service.service", "(?m)^EnvironmentFile=-?(.*)"),
            ("debian/reconcile-job.logrotate", "(?m)^(/.*) [{]"),
        ] {
            let needed = try SourceTree.file(at: "packaging/" + path).text.groups(pattern)
            #expect(!needed.isEmpty, "\(path)")
            for place in needed {
                let folder = place.contains(".") ? place.replacing(/\/[^\/]*$/, with: "") : place
                let line = "(?m)^d \(folder) 0750 (?:root|reconcile-job) (reconcile-job) -$"
                #expect(made.groups(line).count == 1, "\(folder)")
            }
        }
    }
}
