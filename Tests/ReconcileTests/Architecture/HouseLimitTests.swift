import Testing

@Suite("A limit on source code")
struct HouseLimitTests {
    private static let room = "Sources/Reconcile/Storage/A.swift"
    private static let curl = "Sources/Reconcile/HTTP/A.swift"

    private static func lines(_ count: Int) -> String { String(repeating: "\n", count: count) }

    @Test("A violated limit is found", arguments: examples)
    func isFound(limit: HouseLimit, path: String, text: String, what: String) {
        let violations = HouseRules.violations(in: [SourceFile(path, text)])
        #expect(violations.map(\.what) == [what])
        #expect(violations.map(\.rule) == [.limit(limit)])
        #expect(violations.first?.description.hasSuffix(limit.advice) == true)
    }

    @Test("Each limit has an example")
    func isTried() { #expect(Set(Self.examples.map(\.0)) == Set(HouseLimit.allCases)) }

    @Test(
        "Code that only resembles a violation is accepted",
        arguments: [
            (room, lines(300)),
            (room, "func a() {\(lines(49))}"),
            (room, "protocol A { func a()\n func b()\n var c: Int { get } }\n" + lines(60)),
            (room, "struct A { let b = [\(lines(60))] }"),
            (room, "// " + String(repeating: "é", count: 97)),
            (room, "// @unchecked Sendable, try!, fatalError(), Task { }, var"),
            (room, "let a = \"@unchecked try! fatalError( Task { nonisolated(unsafe)\""),
            (room, "let a = b.fatalError(), c = try d!"),
            (room, "func a() async throws { try await Task.sleep(for: b); Task.isCancelled }"),
            (room, "struct A { var b = 1; let c: Task<Int, Never>? }"),
            (room, "nonisolated let a = 1"),
            (curl, "nonisolated(unsafe) let a = 1"),
            ("Sources/reconcile-job/A.swift", "let a = Task { 1 }"),
            ("Sources/reconcile-job/main.swift", "var a = 1"),
            ("Tests/JobTests/A.swift", "let a = Task { 1 }"),
        ])
    func letsPass(path: String, text: String) {
        #expect(HouseRules.violations(in: [SourceFile(path, text)]) == [])
    }

    private static let examples: [(HouseLimit, String, String, String)] = [
        (.fileLength, room, lines(301), "The file has 301 lines, 300 at most"),
        (.functionLength, room, "func a() {\(lines(50))}", "`a` has 51 lines, 50 at most"),
        (
            .functionLength, room, "struct A { init(b: () -> Void = {}) {\(lines(50))} }",
            "`init` has 51 lines, 50 at most"
        ),
        (
            .functionLength, room, "struct A { var b: [Int: Int] {\(lines(50))} }",
            "`b` has 51 lines, 50 at most"
        ),
        (
            .functionLength, "Tests/JobTests/A.swift", "@Test func a() {\(lines(50))}",
            "`a` has 51 lines, 50 at most"
        ),
        (
            .lineLength, room, "// " + String(repeating: "é", count: 98),
            "101 columns, 100 at most"
        ),
        (
            .lineLength, "sql/queries/a.sql", String(repeating: "-", count: 101),
            "101 columns, 100 at most"
        ),
        (.uncheckedSendable, room, "struct A: @unchecked Sendable {}", "`@unchecked`"),
        (
            .uncheckedSendable, "Tests/JobTests/A.swift", "extension A: @unchecked Sendable {}",
            "`@unchecked`"
        ),
        (.nonisolatedUnsafe, room, "nonisolated(unsafe) let a = 1", "`nonisolated(unsafe)`"),
        (
            .nonisolatedUnsafe, curl,
            "nonisolated(unsafe) let a = 1\nnonisolated(unsafe) let b = 1",
            "`nonisolated(unsafe)`"
        ),
        (.forcedTry, room, "let a = try! b()", "`try!`"),
        (.vector, room, "let a: SIMD4<UInt64>", "`SIMD4`"),
        (.fatalError, room, "func a() -> Never { fatalError(\"b\") }", "`fatalError`"),
        (
            .foundationProcess, "Tests/JobTests/A.swift", "let a = Process()",
            "Foundation's `Process`"
        ),
        (.unstructuredTask, room, "let a = Task { 1 }", "An unstructured task"),
        (
            .unstructuredTask, room, "let a = Task(priority: .low) { 1 }",
            "An unstructured task"
        ),
        (
            .unstructuredTask, room, "let a = Task<Int, Never> { 1 }",
            "An unstructured task"
        ),
        (
            .unstructuredTask, room, "let a = Task.detached { 1 }",
            "An unstructured task"
        ),
        (.globalVariable, room, "var a = 1", "A variable is global"),
        (
            .folderName, "Sources/Reconcile/Storage/Helpers/A.swift", "",
            "A folder is named `Helpers`"
        ),
        (.folderName, "Tests/ReconcileTests/Utils/A.swift", "", "A folder is named `Utils`"),
        (.noRoom, "Sources/Reconcile/A.swift", "", "The file is in no module"),
        (
            .noRoom, "Sources/Reconcile/Billing/A.swift", "",
            "`Billing` is not in the module table"
        ),
        (.noRoom, "Sources/Other/A.swift", "", "`Other` is not in the module table"),
        (.cLibrary, room, "internal import CPostgres", "Storage imports `CPostgres`"),
        (.cLibrary, curl, "internal import CCrypto", "HTTP imports `CCrypto`"),
        (
            .cLibrary, "Sources/reconcile-job/A.swift", "internal import CCurl",
            "reconcile-job imports `CCurl`"
        ),
        (.unreadable, room, "let a = /\"/", "A literal or comment does not end"),
        (.unreadable, room, "/* /* */", "A literal or comment does not end"),
    ]
}
