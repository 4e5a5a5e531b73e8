/// `ERASED.json`, beside the manifest of a folder that was written anew without erased users.
package struct ErasedMark: Equatable, Sendable {
    package static let fileName = "ERASED.json"

    let run: RunID
    /// SHA-256 in hexadecimal: of this folder's manifest, of that of the folder that it replaces,
    /// and of that which the run published.
    let manifestSHA256: String
    let formerSHA256: String
    let publishedSHA256: String
    let erasure: Erasure

    package init(
        run: RunID, manifestSHA256: String, formerSHA256: String, publishedSHA256: String,
        erasure: Erasure
    ) {
        self.run = run
        self.manifestSHA256 = manifestSHA256
        self.formerSHA256 = formerSHA256
        self.publishedSHA256 = publishedSHA256
        self.erasure = erasure
    }

    package var json: [UInt8] {
        PrintedJSON.object([
            ("run_id", .string(run.text)),
            ("manifest_sha256", .string(manifestSHA256)),
            ("former_manifest_sha256", .string(formerSHA256)),
            ("published_manifest_sha256", .string(publishedSHA256)),
            (
                "erased",
                .array(
                    erasure.acts.map {
                        .object([("by", .string($0.by)), ("at", .string($0.at.description))])
                    })
            ),
            ("receipts", .integer(erasure.receipts)),
            ("entitlements", .integer(erasure.entitlements)),
            ("rows", .object(Erasure.tables.map { ($0, .integer(erasure.rows(of: $0))) })),
            ("money", erasure.money.json),
        ]).bytes
    }
}

/// What an `ERASED.json` says.
package struct StatedErasure: Sendable {
    package let bytes: [UInt8]
    package let users: Int
    package let former: String
    let manifest: String
    let run: String
    let rows: [Int]

    /// Nil for a file that is no such document.
    init?(_ bytes: [UInt8]) {
        let stated = PrintedPaths(bytes)
        guard let run = stated["run_id"], let manifest = stated["manifest_sha256"],
            let former = stated["former_manifest_sha256"],
            stated["published_manifest_sha256"] != nil
        else { return nil }
        self.bytes = bytes
        self.run = run
        self.manifest = manifest
        self.former = former
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

/// A published run's folder that is written again.
package struct Republication: Sendable {
    let known: KnownRun
    let erasure: Erasure
    /// SHA-256 of the manifest of the folder that this one replaces; nil where there is none.
    let former: String?

    package init(_ known: KnownRun, erasure: Erasure, replacing former: String? = nil) {
        self.known = known
        self.erasure = erasure
        self.former = former
    }

    /// - Returns: the file to add, or nil when nobody was erased.
    /// - Throws: `otherBytes` when the folder is not the published one, or would not be it with
    ///   the erased users.
    func mark(
        _ summary: RunSummary, manifestSHA256: String, at path: String
    ) throws -> ErasedMark? {
        let published = known.account?.manifestSHA256 ?? ""
        guard !erasure.isEmpty else {
            guard published == manifestSHA256 else { throw otherBytes(at: path) }
            return nil
        }
        let difference = try erasure.difference(
            from: known, findings: summary.findings.total, money: summary.money)
        guard difference == nil else { throw otherBytes(at: path) }
        return ErasedMark(
            run: known.run.id, manifestSHA256: manifestSHA256, formerSHA256: former ?? published,
            publishedSHA256: published, erasure: erasure)
    }

    private func otherBytes(at path: String) -> ReportError {
        ReportError(.otherBytes(release: known.codeVersion), path: path)
    }
}
