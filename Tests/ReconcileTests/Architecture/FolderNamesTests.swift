import Testing

/// To add a case: a `Case` of files, each a folder with its Swift source, and the name that is
/// found in the last one; without `found:` nothing may be. `Permission` is a row of the table of
/// folders.
@Suite("The names that a folder may use")
struct FolderNamesTests {
    /// Files, each by folder and code; which of their names break the table.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [(folder: String, code: String)]
        let found: [String]

        init(_ label: String, _ files: (String, String)..., found: String...) {
            testDescription = label
            self.files = files.map { (folder: $0.0, code: $0.1) }
            self.found = found
        }
    }

    private static let reader = ("Runs", "struct AnswerBody {}")
    private static let verifying = (
        "Apple/VerifyReceipt", "extension AnswerBody { static let verifyReceipt = 1 }"
    )

    @Test(
        "A member that a folder adds to another folder's type belongs to the folder that adds it",
        arguments: [
            Case(
                "by the type's name", reader, verifying,
                ("Reports", "let a = AnswerBody.verifyReceipt"), found: "verifyReceipt"),
            Case(
                "without the type's name", reader, verifying,
                ("Reports", "let a: AnswerBody = .verifyReceipt"), found: "verifyReceipt"),
            Case(
                "a type nested in the extension",
                reader, ("Storage", "extension AnswerBody { struct Row {} }"),
                ("Reports", "let a: AnswerBody.Row?"), found: "Row"),
            Case(
                "a member of a value",
                ("Pipeline", "extension String { var escaped: String { self } }"),
                ("Reports", "let a = b.escaped"), found: "escaped"),
            Case(
                "a folder that may name the type that was extended",
                ("Apple", "struct ValidationReport {}"),
                ("Apple/VerifyReceipt", "extension ValidationReport { var letters: Int { 1 } }"),
                ("Apple/Kept", "let a = ValidationReport.letters"), found: "letters"),
            Case(
                "in the folder itself", reader, verifying,
                ("Apple/VerifyReceipt", "let a: AnswerBody = .verifyReceipt")),
            Case(
                "in a folder that may use the one that adds it",
                ("Encoding", "extension String { var escaped: String { self } }"),
                ("Reports", "let a = b.escaped")),
            Case(
                "a member that the folder's own types have, too", reader, verifying,
                ("Reports", "enum A { case verifyReceipt }; let a: A = .verifyReceipt")),
        ])
    func extensions(of example: Case) { check(example) }

    @Test(
        "The executable names a source only where its row in the table says so",
        arguments: [
            Case(
                "in a command", ("Apple/VerifyReceipt", "struct VerifyReceipt {}"),
                ("reconcile-job", "let a: VerifyReceipt?"), found: "VerifyReceipt"),
            Case(
                "a member that a source adds", reader, verifying,
                ("reconcile-job", "let a = AnswerBody.verifyReceipt"), found: "verifyReceipt"),
            Case(
                "where the source is chosen", ("Apple/VerifyReceipt", "struct VerifyReceipt {}"),
                ("reconcile-job/SourceWiring.swift", "let a: VerifyReceipt?")),
            Case(
                "a folder that is not in its row", ("Zip", "struct DeflateStream {}"),
                ("reconcile-job", "let a: DeflateStream?"), found: "DeflateStream"),
            Case(
                "a folder that is in its row", ("Storage", "struct Database {}"),
                ("reconcile-job", "let a: Database?")),
        ])
    func executable(of example: Case) { check(example) }

    @Test(
        "A name means what Swift's scopes say, so that no other scope's name hides a foreign one",
        arguments: [
            Case(
                "a type nested elsewhere in the folder", ("Apple/Kept", "struct Kept {}"),
                ("Pipeline", "struct A { struct Kept {} }"), ("Pipeline", "let a: Kept?"),
                found: "Kept"),
            Case(
                "a type nested elsewhere in the file", ("Apple/Kept", "struct Kept {}"),
                ("Pipeline", "struct A { struct Kept {} }\nstruct B { let a: Kept? }"),
                found: "Kept"),
            Case(
                "a private type of another file", ("Apple/Kept", "struct Kept {}"),
                ("Pipeline", "private struct Kept {}"), ("Pipeline", "let a: Kept?"),
                found: "Kept"),
            Case(
                "a generic parameter of another function", ("Apple/Kept", "struct Kept {}"),
                ("Pipeline", "func a<Kept>(_ b: Kept) {}\nfunc c(_ d: Kept) {}"), found: "Kept"),
            Case(
                "a member function of another type", ("Apple/Kept", "func recall() {}"),
                ("Pipeline", "struct A { func recall() {} }"),
                ("Pipeline", "struct B { func c() { recall() } }"), found: "recall"),
            Case(
                "a folder that may be named declares it, too", ("Apple/Kept", "struct Kept {}"),
                ("Runs", "struct Kept {}"), ("Pipeline", "let a: Kept?")),
            Case(
                "within the type", ("Apple/Kept", "struct Kept {}"),
                ("Pipeline", "struct A { struct Kept {}; struct B { let a: Kept? } }")),
            Case(
                "in an extension of the type", ("Apple/Kept", "struct Kept {}"),
                ("Pipeline", "struct A { struct Kept {} }"),
                ("Pipeline", "extension A { func b() -> Kept { c { Kept() } } }")),
            Case(
                "in a type that conforms to the protocol that declares it",
                ("Apple/Kept", "struct Kept {}"),
                ("Pipeline", "protocol A { associatedtype Kept }"),
                ("Pipeline", "struct B: A { let c: Kept? }")),
            Case(
                "a generic parameter of its function", ("Apple/Kept", "struct Kept {}"),
                (
                    "Pipeline",
                    "func a<Kept: Equatable>(_ b: Kept) -> Kept { let c: Kept = b; return c }"
                )),
            Case(
                "a private type of the file", ("Apple/Kept", "struct Kept {}"),
                ("Pipeline", "private struct Kept {}\nlet a: Kept?")),
            Case(
                "a type within a function", ("Apple/Kept", "struct Kept {}"),
                ("Pipeline", "func a() { struct Kept {}\nlet b = [Kept()] }")),
        ])
    func scopes(of example: Case) { check(example) }

    @Test(
        "A permission that no file of its folder uses is found",
        arguments: [
            Permission("Crypto, Findings", in: "let a: Finding?", unused: "Crypto"),
            Permission("Crypto (`Digest`, `Seal`)", in: "let a: Digest?", unused: "Crypto (Seal)"),
            Permission(
                "Findings", in: "struct A { struct Finding {}; let b: Finding? }",
                unused: "Findings"),
            Permission(
                "Crypto (in `File`, `Other`)", in: "let a: Digest?", unused: "Crypto (in Other)"),
            Permission("–", imports: "`CZlib`, `SQL`", in: "internal import SQL", unused: "CZlib"),
            Permission("Findings, Crypto (`Seal`)", in: "let a = Finding(); let b: Seal?"),
            Permission("Findings", in: "extension Finding {}"),
            Permission("Crypto", in: "func a(_ b: Digest) -> Bool { b.isEmpty }"),
        ])
    func unused(_ example: Permission) {
        let table = FolderTable(
            """
            | folder | may name types of | modules of ours it imports |
            |---|---|---|
            | Reports | \(example.names) | \(example.imports) |
            """)
        let files = [
            SourceFile("Sources/Reconcile/Crypto/A.swift", "struct Digest {}\nstruct Seal {}"),
            SourceFile("Sources/Reconcile/Findings/B.swift", "struct Finding {}"),
            SourceFile("Sources/Reconcile/Reports/File.swift", example.code),
        ]
        let found = SourceRules(files, table).unusedPermissions(in: files)
        #expect(found == example.unused.map { ["Reports does not use \($0)."] } ?? [])
    }

    /// The row of a folder, and the code of its only file.
    struct Permission: Sendable, CustomTestStringConvertible {
        let names: String
        let imports: String
        let code: String
        let unused: String?

        init(_ names: String, imports: String = "–", in code: String, unused: String? = nil) {
            self.names = names
            self.imports = imports
            self.code = code
            self.unused = unused
        }

        var testDescription: String { "\(names) in \(code)" }
    }

    private func check(_ example: Case) {
        let files = example.files.enumerated().map { number, file in
            let name = file.folder.hasSuffix(".swift") ? "" : "/File\(number).swift"
            let module = file.folder.hasPrefix("reconcile-job") ? "" : "Reconcile/"
            return SourceFile("Sources/\(module)\(file.folder)\(name)", file.code)
        }
        let rules = SourceRules(files)
        let found = files.flatMap(rules.violations).flatMap { $0.groups("`([^`]*)`") }
        #expect(found == example.found)
    }
}
