import Testing

@testable import Reconcile

@Suite("The source rules")
struct ArchitectureTests {
    private static let files = (try? SourceTree.files()) ?? []
    private static let rules = SourceRules(files)

    @Test("The sources obey the module table, the forbidden words and the limits")
    func holds() throws {
        #expect(Self.files.count > 500 && Module.table.count == 20)
        let violations = Self.files.flatMap(Self.rules.violations)
        #expect(violations.isEmpty, "\(violations.joined(separator: "\n"))")
        let unsafe = Self.files.flatMap { $0.matches(#"nonisolated\(unsafe\)"#) }
        #expect(unsafe.count == 1)
    }

    /// Where the text stands, the text, and the beginning of what is said of it; "" for nothing.
    static let cases: [(String, String, String)] = [
        ("Reconcile/Receipts/A.swift", "let a: RunSummary? = nil", "Receipts names `RunSummary`"),
        ("Reconcile/HTTP/A.swift", "let a: Digest", "HTTP names `Digest`"),
        ("Reconcile/Reports/A.swift", "let a = \"\\(Database.self)\"", "Reports names `Database`"),
        ("Reconcile/Pipeline/A.swift", "func a(_ log: Reconcile.Log) {}", "Pipeline names `Log`"),
        ("Reconcile/Validation/A.swift", "let cache: Database", "Validation names `Database`"),
        ("Reconcile/Observability/A.swift", "let a = 0...CSVReport.b", "Observability names"),
        ("Reconcile/Pipeline/A.swift", "internal import SQL", "Pipeline imports `SQL`"),
        ("Reconcile/Receipts/A.swift", "import struct Foundation.Data", "Receipts imports"),
        ("Reconcile/HTTP/A.swift", "internal import CCrypto", "HTTP imports `CCrypto`"),
        ("AppStoreSimulator/A.swift", "internal import Reconcile", "AppStoreSimulator imports"),
        ("Reconcile/Billing/A.swift", "", "`Billing` is not in the module table"),
        ("Reconcile/Runs/A.swift", "func a() -> Int { .now }", "`now`. Rules are pure"),
        ("Reconcile/Receipts/A.swift", "func a() async {}", "`async`. Rules are pure"),
        ("Reconcile/Pipeline/A.swift", "let a = getenv(b)", "`getenv`. Only reconcile-job"),
        ("Reconcile/HTTP/A.swift", "func a() { Glibc.exit(1) }", "`exit`. Only reconcile-job"),
        ("Reconcile/Storage/A.swift", "let a = try! b()", "`try!`"),
        ("Reconcile/Storage/A.swift", "struct A: @unchecked Sendable {}", "`@unchecked`"),
        ("Reconcile/Storage/A.swift", "let a: SIMD4<UInt64>", "`SIMD4`"),
        ("Reconcile/Storage/A.swift", "func a() -> Never { fatalError() }", "`fatalError`"),
        ("Reconcile/Storage/A.swift", "let a = Task<Int, Never> { 1 }", "`Task`. An unstructured"),
        ("Reconcile/Storage/A.swift", "var a = 1", "`var`. A global variable"),
        ("Reconcile/Storage/A.swift", "let a = Process()", "`Process`"),
        ("Reconcile/Storage/A.swift", "nonisolated(unsafe) let a = 1\nlet b = Process()", "`Proc"),
        ("Reconcile/Storage/Helpers/A.swift", "", "folder `Helpers`"),
        ("Reconcile/Storage/A.swift", String(repeating: "\n", count: 301), "301 lines"),
        (
            "Reconcile/Storage/A.swift", "// " + String(repeating: "é", count: 98),
            "over 100 columns"
        ),
        (
            "Reconcile/Storage/A.swift",
            "func a() {\n" + String(repeating: "    b()\n", count: 50) + "}\n", "over 50 lines"
        ),
        ("Reconcile/Storage/A.swift", "let a = \"select 1\"", "SQL text"),
        ("reconcile-job/A.swift", "let a = \"DELETE FROM a.b\"", "SQL text"),
        // What only looks like a violation.
        ("Reconcile/HTTP/A.swift", "// Digest, try!\n/* var /* Digest */ */", ""),
        ("Reconcile/HTTP/A.swift", "let a = #\"Digest \"try!\" \\(Digest)\"#, b = c.Digest", ""),
        ("Reconcile/HTTP/A.swift", "func a<Digest: Equatable>(_ b: Digest) {}", ""),
        ("Reconcile/Storage/A.swift", "let a = \"Delete from the folder what is old.\"", ""),
        ("reconcile-job/A.swift", "let a = Task { print(getenv(b)) }", ""),
    ]

    @Test("A violation is found, and code that only resembles one is accepted", arguments: cases)
    func finds(path: String, text: String, what: String) {
        let file = SourceFile("Sources/" + path, text)
        let found = Self.rules.violations(in: file)
        #expect(what.isEmpty ? found.isEmpty : found.contains { $0.contains(what) }, "\(found)")
    }

    @Test(
        "A statement that writes outside schema reconcile is found",
        arguments: [
            ("insert into app.a values (1)", true), ("update only app.a set b = 1", true),
            ("delete from \"App\".a", true), ("create table if not exists a (b int)", true),
            ("create unique index concurrently a on app.b (c)", true),
            ("create schema app", true), ("create role somebody", true), ("truncate app.b", true),
            ("create extension pgcrypto", true), ("alter table if exists app.a add b int", true),
            (
                "insert into reconcile.a select b from app.c on conflict (d) do update set e = 1",
                false
            ),
            ("select a from app.b for update", false), ("-- update app.a set b = 1", false),
            ("create temporary table a (b int); copy a from stdin", false),
            ("create trigger a after insert or update on reconcile.b execute function c()", false),
            ("grant select, insert, update on app.a to b", false),
            ("create role reconcile_job", false), ("create schema if not exists reconcile", false),
        ])
    func writes(sql: String, isFound: Bool) {
        let found = Self.rules.violations(in: SourceFile("sql/queries/a.sql", sql))
        #expect(found.isEmpty != isFound, "\(found)")
    }

    @Test("A decision record has its four parts, in order, on at most 60 lines")
    func decisions() throws {
        let paths = try SourceTree.paths(under: "docs/decisions").filter {
            $0.hasSuffix(".md") && !$0.hasSuffix("/README.md")
        }
        for path in paths {
            let lines = try SourceTree.file(at: path).lines
            let parts = lines.filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
            #expect(parts == ["Context", "Decision", "Consequences", "Rejected"], "\(path)")
            #expect(lines.count <= 60, "\(path)")
        }
    }
}

@Suite("The documents")
struct DocumentTests {
    @Test("README lists each kind of finding with its severity and direction")
    func lists() throws {
        let lines = try SourceTree.file(at: "README.md").lines
        for kind in FindingKind.allCases {
            let row = try #require(lines.first { $0.hasPrefix("| `\(kind.rawValue)` |") })
            let cells = row.split(separator: "|").map { $0.drop { $0 == " " }.prefix { $0 != " " } }
            try #require(cells.count == 4)
            guard kind.lesserWeight == nil else { continue }
            let weight = [kind.severity.rawValue, kind.direction.rawValue]
            #expect(cells[2...3].elementsEqual(weight, by: ==), "\(kind.rawValue)")
        }
    }

    @Test(
        "Every path in the documents leads to a file that exists",
        arguments: [
            "README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/configuration.md",
            "docs/decisions/README.md", "docs/glossary.md", "docs/money.md", "docs/operations.md",
            "docs/performance.md", "docs/security.md", "docs/states.md",
            "packaging/nginx/README.md", "reports/README.md",
        ])
    func pointsToFiles(page: String) throws {
        let text = try SourceTree.file(at: page).text
        let folder = page.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        // Of a link to a heading, the page.
        let targets = text.split(separator: "](").dropFirst().map {
            $0.prefix { $0 != ")" && $0 != "#" }
        }
        for target in targets where !target.hasPrefix("http") {
            #expect(SourceTree.exists(folder + target), "\(page) points to \(target)")
        }
    }
}
