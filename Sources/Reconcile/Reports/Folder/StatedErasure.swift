/// What an `ERASED.json` says.
package struct StatedErasure: Sendable {
    package let bytes: [UInt8]
    package let users: Int
    package let former: String
    let published: String
    let manifest: String
    let run: String
    let rows: [Int]

    /// Nil for a file that is no such document.
    init?(_ bytes: [UInt8]) {
        let stated = PrintedPaths(bytes)
        guard let run = stated["run_id"], let manifest = stated["manifest_sha256"],
            let former = stated["former_manifest_sha256"],
            let published = stated["published_manifest_sha256"]
        else { return nil }
        self.bytes = bytes
        self.run = run
        self.manifest = manifest
        self.former = former
        self.published = published
        var users = 0
        while stated["erased[\(users)].at"] != nil { users += 1 }
        self.users = users
        let rows = Erasure.tables.compactMap { stated.integer("rows.\($0)") }
        guard users > 0, rows.count == Erasure.tables.count, rows.allSatisfy({ $0 >= 0 }) else {
            return nil
        }
        self.rows = rows
    }

    package var lines: Int { rows.reduce(0, +) }
}
