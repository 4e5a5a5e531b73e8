@testable import TestSupport

/// The table of `docs/architecture.md`: of each folder of the library and each other target what it
/// may name and import.
struct FolderTable: Sendable {
    /// A permission: types of a folder, perhaps only some, or only in some files.
    struct Permission: Hashable, Sendable {
        let folder: String
        /// Names of types and members; empty: all.
        var names: Set<String> = []
        /// Names of files; empty: all.
        var files: Set<String> = []
    }

    struct Row: Sendable {
        let name: String
        let permissions: [Permission]
        /// Modules of ours that it may import.
        let imports: [String]
    }

    let rows: [String: Row]

    static let documented = FolderTable(
        (try? SourceTree.file(at: "docs/architecture.md"))?.text ?? "")

    init(_ page: String) {
        let lines = page.rows.drop { $0.count != 5 || $0[1] != "folder" }.dropFirst(2)
        rows = lines.prefix { $0.count == 5 }.reduce(into: [:]) { rows, cells in
            rows[cells[1]] = Row(
                name: cells[1], permissions: Self.permissions(cells[2]),
                imports: cells[3].groups("`([^`]*)`"))
        }
    }

    /// Of `Encoding, Crypto (`Digest`), Apple/Kept (in `SourceWiring`)`.
    private static func permissions(_ cell: String) -> [Permission] {
        cell.groups(#"[A-Z][\w/]*(?: \([^)]*\))?(?=, |$)"#).map { text in
            let names = Set(text.groups("`([^`]*)`"))
            let folder = String(text.prefix { $0 != " " })
            return text.contains("(in ")
                ? Permission(folder: folder, files: names)
                : Permission(folder: folder, names: names)
        }
    }

    /// A target of its own: reached by an import, which the compiler checks, not by a name.
    static let targets = ["SQL", "AppStoreSimulator", "reconcile-job"]

    /// Pure values and rules, without imports, clocks, concurrency and files.
    static func isPure(_ name: String) -> Bool {
        ["Encoding", "Purchases", "Entitlements", "Findings", "Runs"].contains(name)
    }

    /// A module that is not pure may also import the system's.
    func mayImport(_ imported: String, into name: String) -> Bool {
        let isOurs = rows.values.contains { $0.imports.contains(imported) }
        return rows[name]?.imports.contains(imported) == true
            || !(Self.isPure(name) || isOurs || imported == "reconcile_job")
    }

    /// The permission by which a file of a folder may use one of these names of another.
    func permission(for names: [String], of other: String, in file: SourceFile) -> Permission? {
        rows[file.module ?? ""]?.permissions.first { permission in
            permission.folder == other
                && (permission.names.isEmpty || names.contains(where: permission.names.contains))
                && (permission.files.isEmpty || permission.files.contains(file.name))
        }
    }
}
