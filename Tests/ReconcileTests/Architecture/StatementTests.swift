import Testing

@testable import SQL
@testable import TestSupport

/// The line after `-- name: ` and what follows from it.
private struct Title: CustomTestStringConvertible, Sendable {
    let text, swiftName: String
    let isLong: Bool

    var testDescription: String { text }
}

/// To add a statement, see "A statement" in CONTRIBUTING.md: these tests find it by themselves.
@Suite("The statements in sql/queries")
struct StatementTests {
    private static let files = SourceTree.files.filter {
        $0.path.hasPrefix("sql/queries/") || $0.path == "sql/roles.sql"
    }

    /// The members of `SQL` that are not statements of `sql/queries`.
    private static let members: Set = ["migrations", "roles", "referenceApp", "statements"]

    /// The names in `SQL.name` of the sources and tests.
    private static let named = Set(
        SourceTree.files.flatMap { $0.matches(#"\bSQL\.(\w+)"#) }
    ).subtracting(members)

    @Test("Each statement of the files is in the program, under a name that no other has")
    func names() {
        let names = Self.files.flatMap { $0.text.groups(#"(?m)^-- name: (\w+)(?:, long)?$"#) }
        #expect(names.count > 100)
        #expect(names.sorted() == Set(names).sorted())
        #expect(names.sorted() == SQL.statements.map(\.name).sorted())
    }

    @Test("Each statement that the sources name is in a file")
    func found() {
        #expect(Self.named.subtracting(SQL.statements.map(\.swiftName)).sorted() == [])
    }

    @Test("Each statement is named by a source")
    func used() {
        #expect(Set(SQL.statements.map(\.swiftName)).subtracting(Self.named).sorted() == [])
    }

    @Test(
        "A header says what a statement is for, what its parameters are, and what it locks",
        arguments: SQL.statements.map(\.name))
    func header(of name: String) throws {
        let statement = try #require(SQL.statements.first { $0.name == name })
        let lines = statement.text.split(separator: "\n").dropFirst()
        let header = lines.prefix { $0.hasPrefix("--") }.map { $0.dropFirst(3) }
            .joined(separator: " ")
        let body = lines.drop { $0.hasPrefix("--") }.joined(separator: "\n")
        #expect(header.first?.isUppercase == true)
        let parameters = Set(body.groups(#"\$(\d+)"#))
        #expect(Set(header.groups(#"\$(\d+) [a-z]"#)) == parameters)
        let named = Set(body.groups(#"(?<!')\{([a-z_]+)\}"#))
        #expect(Set(header.groups(#"\{([a-z_]+)\}"#)) == named)
        let hasNone = parameters.isEmpty && named.isDisjoint(with: ["values", "given"])
        #expect(hasNone == header.contains("No parameters."))
        #expect(header.contains("Locks: ") != header.contains("No locks"))
    }

    @Test(
        "A statement has its name, its length and its text from its file",
        arguments: [
            Title(text: "lease_batch", swiftName: "leaseBatch", isLong: false),
            Title(text: "cut_batches, long", swiftName: "cutBatches", isLong: true),
            Title(text: "findings_by_id", swiftName: "findingsByID", isLong: false),
        ])
    private func reads(_ title: Title) {
        let text = "-- name: \(title.text)\n-- Why.\nselect 1\n\n"
        let file = "-- A store.\n\n\(text)-- name: other\nselect 2\n"
        let statements = Statement.all(in: Array(file.utf8))
        #expect(statements.map(\.text) == [text, "-- name: other\nselect 2\n"])
        #expect(statements.map(\.name) == [String(title.text.prefix { $0 != "," }), "other"])
        #expect(statements.first?.swiftName == title.swiftName)
        #expect(statements.first?.isLong == title.isLong)
    }
}
