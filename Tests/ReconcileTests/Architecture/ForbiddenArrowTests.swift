import Testing

@Suite("A forbidden dependency")
struct ForbiddenArrowTests {
    /// One module for each layer, with one type each.
    static let house = [
        SourceFile("Sources/Reconcile/Receipts/Receipt.swift", "package struct Receipt {}"),
        SourceFile("Sources/Reconcile/Findings/Finding.swift", "package struct Finding {}"),
        SourceFile("Sources/Reconcile/Runs/Run.swift", "struct Run {}\nenum Attempt {}"),
        SourceFile("Sources/Reconcile/HTTP/HTTPClient.swift", "actor HTTPClient {}"),
        SourceFile("Sources/Reconcile/Postgres/Pool.swift", "actor PostgresPool {}"),
        SourceFile(
            "Sources/Reconcile/Crypto/Digest.swift", "struct Digest {}\nstruct DERReader {}"),
        SourceFile("Sources/Reconcile/Pacing/Loop.swift", "func forEach(_ body: () -> Void) {}"),
        SourceFile("Sources/Reconcile/Validation/Ask.swift", "protocol Validator {}"),
        SourceFile("Sources/Reconcile/Storage/Database.swift", "final class Database {}"),
        SourceFile("Sources/Reconcile/Pipeline/Night.swift", "indirect enum Night {}"),
        SourceFile("Sources/Reconcile/Reports/CSV.swift", "typealias CSVReport = Int"),
        SourceFile("Sources/Reconcile/Observability/Log.swift", "package struct Log {}"),
    ]

    struct Case: Sendable, CustomTestStringConvertible {
        let path: String
        let text: String
        let arrow: ForbiddenArrow
        let what: String

        init(_ arrow: ForbiddenArrow, _ path: String, _ text: String, _ what: String) {
            self.arrow = arrow
            self.path = path
            self.text = text
            self.what = what
        }

        var testDescription: String { "\(arrow.rawValue): \(what)" }
    }

    @Test("A forbidden dependency is found", arguments: cases)
    func isFound(example: Case) throws {
        let file = SourceFile("Sources/Reconcile/" + example.path, "\n" + example.text)
        try expect([example], in: file)
    }

    @Test("A forbidden dependency is found outside the library too", arguments: casesElsewhere)
    func isFoundElsewhere(example: Case) throws {
        try expect([example], in: SourceFile(example.path, "\n" + example.text))
    }

    private func expect(_ examples: [Case], in file: SourceFile) throws {
        let violations = HouseRules.violations(in: Self.house + [file])
        #expect(violations.map(\.what) == examples.map(\.what))
        let violation = try #require(violations.first)
        #expect(violation.rule == .arrow(examples[0].arrow))
        #expect(violation.description.hasPrefix("\(file.path):2: \(examples[0].what). Arrow "))
        #expect(violation.description.hasSuffix(examples[0].arrow.advice))
    }

    @Test("Each of the eight forbidden dependencies has an example")
    func isTried() {
        let tried = Set((Self.cases + Self.casesElsewhere).map(\.arrow))
        #expect(tried == Set(ForbiddenArrow.allCases) && tried.count == 8)
    }

    static let cases = [
        Case(
            .groundFloorUp, "Receipts/A.swift", "let a: Night? = nil",
            "Receipts names `Night` of Pipeline"),
        Case(
            .groundFloorUp, "Findings/A.swift", "extension HTTPClient {}",
            "Findings names `HTTPClient` of HTTP"),
        Case(
            .groundFloorUp, "Runs/A.swift", "func all() { forEach({ }) }",
            "Runs names `forEach` of Pacing"),
        Case(.groundFloorUp, "Runs/A.swift", "let at = Date()", "Runs uses `Date`"),
        Case(.groundFloorUp, "Runs/A.swift", "func at() -> Int { .now }", "Runs uses `now`"),
        Case(.groundFloorUp, "Runs/A.swift", "let task: Task<Int, Never>", "Runs uses `Task`"),
        Case(.groundFloorUp, "Receipts/A.swift", "func a() async {}", "Receipts uses `async`"),
        Case(
            .groundFloorUp, "Receipts/A.swift", "let a = ContinuousClock()",
            "Receipts uses `ContinuousClock`"),
        Case(
            .groundFloorUp, "Entitlements/A.swift", "let a = { await b() }",
            "Entitlements uses `await`"),
        Case(
            .groundFloorUp, "Entitlements/A.swift", "let home = getenv(\"HOME\")",
            "Entitlements uses `getenv`"),
        Case(
            .groundFloorUp, "Entitlements/A.swift", "let a = FileManager.default",
            "Entitlements uses `FileManager`"),
        Case(
            .groundFloorUp, "Receipts/A.swift", "internal import FoundationEssentials",
            "Receipts imports `FoundationEssentials`"),
        Case(
            .groundFloorUp, "Receipts/A.swift", "import struct Foundation.Data",
            "Receipts imports `Foundation`"),
        Case(
            .reportsToStorage, "Reports/A.swift", "func write(_ all: [Database]) {}",
            "Reports names `Database` of Storage"),
        Case(
            .reportsToStorage, "Reports/A.swift", "let pool: PostgresPool?",
            "Reports names `PostgresPool` of Postgres"),
        Case(
            .reportsToStorage, "Reports/A.swift", "let a = \"\\(Night.self)\"",
            "Reports names `Night` of Pipeline"),
        Case(
            .pipelineToReports, "Pipeline/A.swift", "let report = CSVReport()",
            "Pipeline names `CSVReport` of Reports"),
        Case(
            .pipelineToReports, "Pipeline/A.swift", "func to(_ log: Reconcile.Log) {}",
            "Pipeline names `Log` of Observability"),
        Case(
            .neighboursOfFloorOne, "HTTP/A.swift", "let a: PostgresPool",
            "HTTP names `PostgresPool` of Postgres"),
        Case(
            .neighboursOfFloorOne, "Postgres/A.swift", "let a = Digest()",
            "Postgres names `Digest` of Crypto"),
        Case(
            .neighboursOfFloorOne, "Crypto/A.swift", "struct A<T> where T == Receipt {}",
            "Crypto names `Receipt` of Receipts"),
        Case(
            .validationToStorage, "Validation/A.swift", "let cache: Database",
            "Validation names `Database` of Storage"),
        Case(
            .edgeOutsideItsPlace, "Storage/A.swift", "let a = \"select 1\"",
            "Storage holds SQL text, a literal that begins with `select`"),
        Case(
            .edgeOutsideItsPlace, "Pipeline/A.swift", "let a = getenv(\"HOME\")",
            "Pipeline uses `getenv`"),
        Case(
            .edgeOutsideItsPlace, "Pipeline/A.swift", "let a = ProcessInfo.processInfo",
            "Pipeline uses `ProcessInfo`"),
        Case(.edgeOutsideItsPlace, "HTTP/A.swift", "func a() { exit(1) }", "HTTP uses `exit`"),
        Case(
            .edgeOutsideItsPlace, "HTTP/A.swift", "func a() { Glibc.exit(1) }", "HTTP uses `exit`"),
        Case(
            .edgeOutsideItsPlace, "Observability/A.swift", "let a = isatty(2)",
            "Observability uses `isatty`"),
        Case(
            .edgeOutsideItsPlace, "Observability/A.swift", "func a() { write(2, b, 1) }",
            "Observability uses `write`"),
        Case(
            .edgeOutsideItsPlace, "Reports/A.swift", "func a() { print(1) }",
            "Reports uses `print`"),
        Case(
            .edgeOutsideItsPlace, "Reports/A.swift", "let a = FileHandle.standardError",
            "Reports uses `standardError`"),
    ]

    static let casesElsewhere = [
        Case(
            .simulatorToUs, "Sources/AppStoreSimulator/A.swift", "internal import Reconcile",
            "AppStoreSimulator imports `Reconcile`"),
        Case(
            .simulatorToUs, "Sources/AppStoreSimulator/Wire/A.swift", "@testable import SQL",
            "AppStoreSimulator imports `SQL`"),
        Case(
            .edgeOutsideItsPlace, "Sources/AppStoreSimulator/A.swift", "func a() { exit(1) }",
            "AppStoreSimulator uses `exit`"),
        Case(
            .edgeOutsideItsPlace, "Sources/reconcile-job/A.swift", "let a = \"DELETE FROM a.b\"",
            "reconcile-job holds SQL text, a literal that begins with `DELETE`"),
        Case(
            .writingToTheApplication, "sql/queries/a.sql", "update app.receipts set a = 1",
            "`update` writes to `app.receipts`"),
    ]
}
