import Testing

@testable import Reconcile

/// Each kind of finding has one file, and no other file distinguishes kinds.
@Suite("The rules of findings")
struct FindingRuleTests {
    private static let folder = "Sources/Reconcile/Findings/Rules/"

    @Test("The first table has the order of the specification, and each kind a name of its own")
    func order() {
        let firstTable = """
            refunded_still_granted family_revoked_still_granted expired_still_granted
            billing_retry_still_granted grant_without_receipt wrong_app_receipt
            sandbox_grants_production grant_without_transaction freemium_undecidable
            freemium_granted_not_paid refund_reversed_not_restored active_not_granted
            grace_not_granted owned_not_granted freemium_paid_not_granted duplicate_grant
            upgrade_not_applied downgrade_not_applied product_mismatch expiry_missing
            expiry_too_late expiry_too_early ownership_mismatch label_stale
            """
        let kinds = FindingKind.ofStoredRows.map(\.rawValue)
        #expect(kinds == firstTable.split { " \n".contains($0) }.map(String.init))
        #expect(Set(FindingKind.allCases.map(\.rawValue)).count == FindingKind.allCases.count)
    }

    @Test("Every kind has a file named after it, and the folder has no other file")
    func files() throws {
        let names = try SourceTree.paths(under: Self.folder).map { path in
            path.split(separator: "/").last.map { $0.dropLast(".swift".count).lowercased() } ?? ""
        }
        let kinds = FindingKind.allCases.map { $0.rawValue.replacing("_", with: "") }
        #expect(Set(names) == Set(kinds + ["rowrules", "factrules"]))
        for file in try library() where file.path.hasPrefix(Self.folder) {
            let definitions = file.text.split(separator: "= FindingKind(").count - 1
            #expect(definitions == (file.path.hasSuffix("Rules.swift") ? 0 : 1), "\(file.path)")
        }
    }

    @Test("Only the rules name a kind of finding or switch over it")
    func noSwitch() throws {
        // `expired` is also a state of a subscription.
        let names = try library().filter { $0.path.hasPrefix(Self.folder) }.flatMap { file in
            file.text.matches(of: #/static let (\w+) = FindingKind\(/#).map { String($0.1) }
        }.filter { $0 != "expired" }
        #expect(names.count == FindingKind.allCases.count - 1)
        for file in try library() where !file.path.hasPrefix(Self.folder) {
            for found in file.text.matches(of: #/\.(\w+)/#) {
                #expect(!names.contains(String(found.1)), "\(file.path): \(found.0)")
            }
            let isOverKind = file.text.contains(#/switch [\w.]*(finding|rule|identity)\.kind\b/#)
            #expect(!isOverKind, "\(file.path)")
        }
    }

    @Test("Columns of a row are decoded by name, never by position")
    func byName() throws {
        let position = #/\brow\.\w+\(\s*\d+\s*\)|\brow\[\s*\d+\s*\]/#
        for file in try library() { #expect(!file.text.contains(position), "\(file.path)") }
        #expect("row.text(0)".contains(position) && "row[1]".contains(position))
    }

    private func library() throws -> [SourceFile] {
        try SourceTree.files().filter { file in
            !file.isSQL
                && ["Sources/Reconcile/", "Sources/reconcile-job/"]
                    .contains(where: file.path.hasPrefix)
        }
    }
}
