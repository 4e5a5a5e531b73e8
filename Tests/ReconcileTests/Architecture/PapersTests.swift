import Testing

@testable import Reconcile

@Suite("The documents")
struct PapersTests {
    @Test(
        "The documents list each kind of finding with its severity and direction",
        arguments: FindingKind.allCases)
    func lists(kind: FindingKind) throws {
        let lines = try SourceTree.file(at: "README.md").text.split(separator: "\n")
        let row = try #require(lines.first { $0.hasPrefix("| `\(kind.rawValue)` |") })
        let cells = row.split(separator: "|").map { $0.drop { $0 == " " }.prefix { $0 != " " } }
        try #require(cells.count == 4)
        guard kind.lesserWeight == nil else { return }
        #expect(cells[2] == kind.severity.rawValue)
        #expect(cells[3] == kind.direction.rawValue)
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
