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
        let columns = ["", "folder", "may name types of", "modules of ours it imports", ""]
        let lines = page.split(separator: "\n").map(Self.cells(of:)).drop { $0 != columns }
            .dropFirst(2)
        let found = lines.prefix { $0.count == columns.count }.compactMap { cells in
            Row(Dictionary(zip(columns, cells), uniquingKeysWith: { first, _ in first }))
        }
        rows = Dictionary(found.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The cells of a row of a Markdown table, and what is before and after it.
    private static func cells(of line: Substring) -> [String] {
        line.split(separator: "|", omittingEmptySubsequences: false).map { cell in
            String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// Of `Encoding, Crypto (`Digest`), Apple/Kept (in `SourceWiring`)`.
    fileprivate static func permissions(_ cell: String) -> [Permission] {
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
        ["Encoding", "Purchases", "Entitlements", "Findings", "Runs", "TieOut"].contains(name)
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

extension FolderTable.Row {
    /// - Parameter cells: of a row of the document, by the column's title.
    fileprivate init?(_ cells: [String: String]) {
        guard let name = cells["folder"], let permissions = cells["may name types of"],
            let imports = cells["modules of ours it imports"]
        else { return nil }
        self.init(
            name: name, permissions: FolderTable.permissions(permissions),
            imports: imports.groups("`([^`]*)`"))
    }
}
