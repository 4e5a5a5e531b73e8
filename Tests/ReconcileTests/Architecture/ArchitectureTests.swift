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
        #expect(FolderTable.documented.rows.count == 31)
        let violations = SourceTree.files.flatMap(Self.rules.violations)
        #expect(violations.isEmpty, "\(violations.joined(separator: "\n"))")
        let unused = Self.rules.unusedPermissions(in: SourceTree.files)
        #expect(unused.isEmpty, "\(unused.joined(separator: "\n"))")
        #expect(SourceTree.files.flatMap { $0.matches(#"nonisolated\(unsafe\)"#) }.count == 1)
    }

    /// Text of a file, and the names and words in it that the rules find. To add a case, copy one.
    struct Snippet: Sendable, CustomTestStringConvertible {
        enum Location: Sendable {
            /// Of the library.
            case folder(String)
            case program(String)
            case sql

            var path: String {
                switch self {
                case .folder(let name): "Sources/Reconcile/\(name)/A.swift"
                case .program(let name): "Sources/\(name)/A.swift"
                case .sql: "sql/a.sql"
                }
            }
        }

        let location: Location
        let text: String
        let finds: [String]

        init(_ location: Location, _ text: String, finds: String...) {
            self.location = location
            self.text = text
            self.finds = finds.sorted()
        }

        var testDescription: String { "\(location.path): \(text)" }
    }

    private static let inLibrary = [
        Snippet(
            .folder("Encoding"),
            """
            import struct Foundation.Data
            let a: Summary?
            """, finds: "Foundation", "Summary"),
        Snippet(.folder("Purchases"), "let a: Catalog?, b: Instant", finds: "Catalog"),
        Snippet(
            .folder("Apple/Stored"), "let a: ValidationReport, b: SharedSecret",
            finds: "SharedSecret"),
        Snippet(
            .folder("Apple/VerifyReceipt"), "let a: OfflineReading, b: HTTPClient",
            finds: "OfflineReading"),
        Snippet(
            .folder("Apple/Asking"), "let a: AppleStatus, b: StoredProofs", finds: "AppleStatus",
            "StoredProofs"),
        Snippet(
            .folder("Pipeline"), "let a: any AppleSource, b: VerifyReceipt",
            finds: "VerifyReceipt"),
        Snippet(.folder("Apple/Letters"), "", finds: "Apple/Letters"),
        Snippet(.folder("Runs"), "func a() async -> Int { .now }", finds: "async", "now"),
        Snippet(
            .folder("HTTP"),
            """
            internal import CCrypto
            let a: Digest = Glibc.exit(1)
            """, finds: "CCrypto", "Digest", "exit"),
        Snippet(.folder("Reports"), #"let a = "\(Database.self)""#, finds: "Database"),
        Snippet(.folder("Reports"), "let a = cells[3], b = cells[column]", finds: "cells[3]"),
        Snippet(
            .folder("Pipeline"), "func a(_ log: Reconcile.Log) { getenv(b) }", finds: "Log",
            "getenv"),
        Snippet(
            .folder("Pipeline"),
            """
            internal import SQL
            let a: FindingKind = .labelStale
            """, finds: "SQL", "labelStale"),
        Snippet(.folder("Observability"), "let a = 0...CSVReport.b", finds: "CSVReport"),
        Snippet(.folder("Billing"), "", finds: "Billing"),
        Snippet(
            .folder("Storage"), "var a = try! b(), c: SIMD4<UInt64> = Process()", finds: "Process",
            "SIMD4", "try!", "var"),
        Snippet(
            .folder("Storage"), "let a: VerifyReceiptAnswer, b: Refusal", finds: "Refusal",
            "VerifyReceiptAnswer"),
        Snippet(
            .folder("Storage"), "struct A: @unchecked Sendable { let a = fatalError() }",
            finds: "@unchecked", "fatalError"),
        Snippet(
            .folder("Storage"), "let a = Task<Int, Never> { row.text(0) }", finds: "Task",
            "row.text(0)"),
        Snippet(
            .folder("Storage"), #"nonisolated(unsafe) let a = "select 1""#,
            finds: "nonisolated(unsafe)", "select 1"),
        Snippet(.folder("Storage/Helpers"), "", finds: "Helpers"),
    ]

    private static let inPrograms = [
        Snippet(.program("AppStoreSimulator"), "internal import Reconcile", finds: "Reconcile"),
        Snippet(
            .program("reconcile-job"), #"let a = "DELETE FROM a.b", b = row[1]"#, finds: "row[1]",
            "DELETE FROM a.b"),
        Snippet(.program("reconcile-job"), "switch finding.kind {}", finds: "switch"),
    ]

    private static let inSQL = [
        Snippet(.sql, "insert into app.a values (1); truncate app.b", finds: "app.a", "app.b"),
        Snippet(
            .sql, #"update only app.a set b = 1; delete from "App".a"#,
            finds: #""App".a"#, "app.a"),
        Snippet(.sql, "create table if not exists a (b int); create schema app", finds: "a", "app"),
        Snippet(
            .sql, "create unique index concurrently a on app.b (c); create role clerk",
            finds: "app.b", "clerk"),
        Snippet(
            .sql, "create extension pgcrypto; alter table if exists app.a add b int",
            finds: "app.a", "extension"),
    ]

    private static let accepted = [
        Snippet(
            .folder("HTTP"),
            """
            // Digest, try!
            /* var /* Digest */ */ let a = "Delete from the folder."
            """),
        Snippet(.folder("HTTP"), ##"let a = #"Digest "try!" \(Digest)"#, b = c.Digest"##),
        Snippet(.folder("HTTP"), "func a<Digest: Equatable>(_ b: Digest) {}"),
        Snippet(.program("reconcile-job"), "let a = Task { print(getenv(b)) }"),
        Snippet(
            .sql,
            "insert into reconcile.a select b from app.c on conflict (d) do update set e = 1"),
        Snippet(.sql, "select a from app.b for update; create schema if not exists reconcile"),
        Snippet(
            .sql, "create temporary table a (b int); copy a from stdin; create role reconcile_job"),
        Snippet(
            .sql, "create trigger a after insert or update on reconcile.b execute function c()"),
        Snippet(.sql, "grant select, insert, update on app.a to b; -- update app.a set b = 1"),
    ]

    @Test(
        "A violation is found, and code that only resembles one is accepted",
        arguments: inLibrary + inPrograms + inSQL + accepted)
    func finds(snippet: Snippet) {
        let file = SourceFile(snippet.location.path, snippet.text)
        let found = Self.rules.violations(in: file).flatMap { $0.groups("`([^`]*)`") }
        #expect(found.sorted() == snippet.finds)
    }

    @Test("A file has at most 300 lines, a function 50 and a line 100 columns", arguments: [0, 1])
    func limits(excess: Int) {
        let body = Array(repeating: "    b()", count: 48 + excess) + ["}"]
        let rest = Array(repeating: "", count: 249)
        let last = ["//" + String(repeating: "é", count: 98 + excess), ""]
        let text = (["func a() {"] + body + rest + last).joined(separator: "\n")
        let violations = Self.rules.violations(in: SourceFile("Tests/A.swift", text))
        let locations = violations.map { $0.prefix { $0 != " " } }
        let all = ["Tests/A.swift:301:", "Tests/A.swift:1:", "Tests/A.swift:1:"]
        #expect(locations == all.suffix(3 * excess).map { $0[...] })
    }
}
