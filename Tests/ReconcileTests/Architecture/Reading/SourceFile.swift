struct SourceFile: Sendable {
    let path: String
    let text: String

    init(_ path: String, _ text: String) { (self.path, self.text) = (path, text) }

    var isSwift: Bool { path.hasSuffix(".swift") }
    var isSQL: Bool { path.hasSuffix(".sql") }
    var isTest: Bool { path.hasPrefix("Tests/") }

    var folders: [String] { path.split(separator: "/").dropLast().map(String.init) }

    /// The name of the file's module: a folder of the library, or another target. Nil for tests,
    /// the package's manifest, and a file outside all modules.
    var roomName: String? {
        let folders = folders
        if folders.first == "sql" { return "SQL" }
        guard folders.first == "Sources", folders.count >= 2 else { return nil }
        guard folders[1] == "Reconcile" else { return folders[1] }
        return folders.count >= 3 ? folders[2] : nil
    }
}
