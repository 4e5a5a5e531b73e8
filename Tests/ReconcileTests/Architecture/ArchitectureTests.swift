import Testing

@Suite("The package")
struct ArchitectureTests {
    @Test("The sources obey the module table, the eight forbidden dependencies and the limits")
    func keepsTheRules() throws {
        let violations = HouseRules.violations(in: try SourceTree.files())
        #expect(violations.isEmpty, "\(violations.map(\.description).joined(separator: "\n"))")
    }

    @Test(
        "The whole source tree is read",
        arguments: [
            "Sources/Reconcile/Receipts/Receipt.swift", "Sources/Reconcile/Runs/RunEvent.swift",
            "Tests/ReconcileTests/Architecture/ArchitectureTests.swift", "sql/SQL.swift",
            "Package.swift",
        ])
    func isReadWhole(path: String) throws {
        let file = try #require(try SourceTree.files().first { $0.path == path })
        #expect(!file.text.isEmpty)
    }

    @Test("Adding one forbidden name to a real file is detected")
    func noticesAChange() throws {
        let path = "Sources/Reconcile/Receipts/Receipt.swift"
        let spoilt = try SourceTree.files().map { file in
            file.path != path ? file : SourceFile(path, file.text + "\nlet a: RunSummary? = nil\n")
        }
        let violations = HouseRules.violations(in: spoilt).filter { $0.path == path }
        #expect(violations.map(\.what) == ["Receipts names `RunSummary` of Runs"])
    }

    @Test("docs/architecture.md has the table of modules", arguments: FloorPlan.rooms)
    func documentsTheTable(room: Room) throws {
        let page = try SourceTree.file(at: "docs/architecture.md").text
        #expect(page.contains(room.tableRow), "missing: \(room.tableRow)")
    }

    @Test("docs/architecture.md has the forbidden dependencies", arguments: ForbiddenArrow.allCases)
    func documentsTheArrows(arrow: ForbiddenArrow) throws {
        let page = try SourceTree.file(at: "docs/architecture.md").text
        #expect(page.contains("\(arrow.rawValue). \(arrow.title)."))
    }
}

@Suite("A decision")
struct DecisionTests {
    @Test("A decision record has its four parts, in order, on at most 60 lines")
    func hasItsParts() throws {
        let paths = try SourceTree.paths(under: "docs/decisions").filter {
            $0.hasSuffix(".md") && !$0.hasSuffix("/README.md")
        }
        #expect(paths.count >= 10)
        for path in paths {
            let lines = try SourceTree.file(at: path).text.split(
                separator: "\n", omittingEmptySubsequences: false)
            let parts = lines.filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
            #expect(parts == ["Context", "Decision", "Consequences", "Rejected"], "\(path)")
            #expect(lines.count <= 60, "\(path)")
        }
    }
}

extension Room: CustomTestStringConvertible {
    var testDescription: String { name }
}
