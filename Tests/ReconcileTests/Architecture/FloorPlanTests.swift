import Testing

@Suite("The module table")
struct FloorPlanTests {
    @Test(
        "A dependency that the table does not list is refused, even if not forbidden by name",
        arguments: [
            ("Receipts/A.swift", "let a: Finding", "Receipts names `Finding` of Findings"),
            ("Findings/A.swift", "let a: Attempt", "Findings names `Attempt` of Runs"),
            ("Storage/A.swift", "let a: HTTPClient", "Storage names `HTTPClient` of HTTP"),
            (
                "Observability/A.swift", "let a: CSVReport",
                "Observability names `CSVReport` of Reports"
            ),
            ("Pacing/A.swift", "let a: Run", "Pacing names `Run` of Runs"),
            ("Validation/A.swift", "let a: Run", "Validation names `Run` of Runs"),
            ("Reports/A.swift", "let a: DERReader", "Reports names `DERReader` of Crypto"),
            ("Pipeline/A.swift", "internal import SQL", "Pipeline imports `SQL`"),
        ])
    func refuses(path: String, text: String, what: String) {
        let file = SourceFile("Sources/Reconcile/" + path, text)
        let violations = HouseRules.violations(in: ForbiddenArrowTests.house + [file])
        #expect(violations.map(\.what) == [what])
        #expect(violations.map(\.rule) == [.table])
    }

    @Test(
        "A dependency that the table lists is allowed",
        arguments: [
            ("Findings/A.swift", "let a: Receipt"),
            ("Validation/A.swift", "let a: (Receipt, AttemptSummary, HTTPClient, Digest)"),
            ("Validation/A.swift", "func a() { forEach({ }) }"),
            ("Storage/A.swift", "internal import SQL\nlet a: (Run, PostgresPool)"),
            ("Pipeline/A.swift", "let a: (Database, Finding, Digest)"),
            ("Reports/A.swift", "let a: (Run, Finding, Receipt, Digest)"),
            ("HTTP/A.swift", "internal import CCurl\ninternal import Glibc"),
            ("../AppStoreSimulator/A.swift", "internal import CCrypto\nstruct Receipt {}"),
            ("../reconcile-job/A.swift", "internal import Reconcile\nlet a: (Database, Log)"),
            ("../reconcile-job/A.swift", "func a() { print(getenv(\"HOME\")); exit(64) }"),
        ])
    func allows(path: String, text: String) {
        let path =
            path.hasPrefix("../") ? "Sources/" + path.dropFirst(3) : "Sources/Reconcile/" + path
        let violations = HouseRules.violations(
            in: ForbiddenArrowTests.house + [SourceFile(path, text)])
        #expect(violations == [])
    }

    @Test(
        "A name in another role is not mistaken for a name of a module",
        arguments: [
            ("a comment", "// Finding\n/* Finding /* Finding */ Finding */"),
            ("a literal", "let a = \"Finding\", b = #\"\\(Finding)\"#"),
            ("a literal of many lines", "let a = \"\"\"\n    Finding \" // Finding\n    \"\"\""),
            ("a regular expression", "let a = #/Finding\"/#"),
            ("a member", "let a = b.Finding, c = .Finding, d: Clock.Finding"),
            ("a longer word", "let a = FindingKind.self, b = finding"),
            ("a nested type of the room", "enum A { struct Finding {} }\nlet a: Finding"),
            ("a generic parameter", "func a<Finding: Equatable>(_ b: Finding) {}"),
            ("an initializer's parameter", "struct A { init<Finding>(_ b: Finding) {} }"),
            ("an associated type", "protocol A { associatedtype Finding; var b: Finding { get } }"),
            ("a function of the room", "struct A { func forEach() {} }\nfunc a() { forEach() }"),
            ("a method", "func a() { [1].forEach { _ in } }"),
        ])
    func isNotFooled(by what: String, text: String) {
        let file = SourceFile("Sources/Reconcile/HTTP/A.swift", text)
        #expect(HouseRules.violations(in: ForbiddenArrowTests.house + [file]) == [], "\(what)")
    }

    @Test("A dependency in a range, in an interpolation or shadowed by a private name is found")
    func sees() {
        let file = SourceFile(
            "Sources/Reconcile/HTTP/A.swift",
            "let a = 0...Finding.most\nlet b = \"\\(c(\"\\(Finding.self)\"))\"\nlet d: Finding")
        let other = SourceFile(
            "Sources/Reconcile/Runs/B.swift", "private struct Finding {}\nfileprivate func a() {}")
        let house = ForbiddenArrowTests.house + [file, other]
        #expect(HouseRules.violations(in: house).map(\.line) == [1, 2, 3])
    }

    @Test("Modules that do not exist yet are no violation")
    func doesWithoutRooms() {
        let file = SourceFile("Sources/Reconcile/Reports/A.swift", "let a: Database")
        #expect(HouseRules.violations(in: [file]) == [])
    }
}
