/// One module (a folder of the library, or another target) and what it may use.
struct Module: Sendable {
    let name: String
    /// The modules whose types it may name.
    private(set) var mayName: Set<String> = []
    /// The only types that it may name, by module.
    private(set) var mayNameOnly: [String: Set<String>] = [:]
    /// Our modules that it may import. Modules that are not pure may also import the system's.
    let mayImport: Set<String>

    /// A line of the table `| room | may name types of | modules of ours it imports |`.
    private init?(row: Substring) {
        let cells = row.split(separator: "|").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        guard row.hasPrefix("| "), cells.count == 3 else { return nil }
        name = cells[0]
        mayImport = Set(cells[2].matches(of: #/`([^`]+)`/#).map { String($0.1) })
        for part in cells[1].matches(of: #/(\w+)(?: \(([^)]*)\))?/#) {
            guard let only = part.2 else {
                mayName.insert(String(part.1))
                continue
            }
            mayNameOnly[String(part.1)] = Set(only.matches(of: #/\w+/#).map { String($0.0) })
        }
    }

    /// The table of `docs/architecture.md`.
    static let table: [String: Module] = {
        let page = (try? SourceTree.file(at: "docs/architecture.md"))?.lines ?? []
        let rows = page.drop { !$0.hasPrefix("| room |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
        return Dictionary(uniqueKeysWithValues: rows.compactMap(Module.init).map { ($0.name, $0) })
    }()

    /// Pure values and rules, without imports, clocks, concurrency and files.
    var isPure: Bool { ["Receipts", "Entitlements", "Findings", "Runs"].contains(name) }
    /// A target of its own: reached by an import, not by a name.
    var isTarget: Bool { ["SQL", "AppStoreSimulator", "reconcile-job"].contains(name) }

    static let own: Set = [
        "CCurl", "CPostgres", "CCrypto", "CZlib", "CEpoll", "CLinux", "SQL", "Reconcile",
        "AppStoreSimulator", "reconcile_job",
    ]
    /// Folder names that say the kind of code instead of its subject.
    static let forbiddenFolders: Set = [
        "Utils", "Helpers", "Common", "Models", "Types", "Extensions", "Managers", "Core", "New",
    ]

    func mayName(_ type: String, of other: String) -> Bool {
        other == name || mayName.contains(other) || mayNameOnly[other]?.contains(type) ?? false
    }
}
