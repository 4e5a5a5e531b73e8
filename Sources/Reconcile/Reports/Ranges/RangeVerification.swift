/// Checks that a folder about days, of no run, is complete and adds up, from its files alone.
package struct RangeVerification {
    package private(set) var failures: [String] = []
    package private(set) var moreFailures = 0
    /// How many failures are files that cannot be read, and say nothing about their content.
    package private(set) var unreadableFiles = 0
    package private(set) var rows = 0
    package var files: Int { manifest.files.count }
    package var kind: RangeName.Kind { manifest.kind }
    /// SHA-256 of `manifest.json`, in hexadecimal.
    package let manifestSHA256: String
    /// Who signed it.
    package let signatures: FolderSignatures

    let folder: OpenFolder
    let manifest: RangeManifest
    /// How files differ from what the manifest lists, by name.
    private var damage: [String: String] = [:]

    private static let mostFailures = 100
    private static let mostDocumentBytes = 64 << 20

    /// Nil for a folder without such a manifest: that of a run, or none.
    package init?(_ path: String) {
        guard let folder = try? OpenFolder(path: path),
            let bytes = folder.contents(
                of: RangeManifest.fileName, atMost: Self.mostDocumentBytes),
            let manifest = RangeManifest(bytes)
        else { return nil }
        self.folder = folder
        self.manifest = manifest
        manifestSHA256 = Digest.sha256(bytes).hexadecimal
        signatures = FolderSignatures(in: folder, manifest: manifestSHA256)
        checkNames()
        if manifest.json != bytes {
            fail("\(RangeManifest.fileName): is not formatted like a manifest.")
        }
        let published = PublishedFolder(folder)
        for file in manifest.files { damage[file.name] = published.difference(of: file) }
        checkSums()
        checkContents()
        failDamage()
    }

    private mutating func checkContents() {
        switch kind {
        case .period: checkPeriod()
        case .tieOut: checkTieOut()
        }
    }

    private var tables: [String] {
        switch kind {
        case .period: ["refunds", "expirations", "movements"]
        case .tieOut: ["tie_out"]
        }
    }

    private var documents: [String] {
        let both = ["summary.json", "index.html", Manifest.sumsName]
        switch kind {
        case .period: return both + ["report.xlsx"]
        case .tieOut: return both
        }
    }

    // MARK: Contents

    func isDamaged(_ file: String) -> Bool { damage[file] != nil }

    /// Nil when the file is not what the manifest lists.
    func contents(_ file: String) -> [UInt8]? {
        isDamaged(file) ? nil : folder.contents(of: file, atMost: Self.mostDocumentBytes)
    }

    /// Reads both files of a table, and notes what is wrong with them.
    /// - Parameter inspect: returns what is wrong with a row, or nil.
    /// - Returns: whether the table is whole and without fault.
    mutating func check<Row: ReadableRow>(
        _ table: String, _ columns: [Column<Row>], precedes: (Row, Row) -> Bool,
        inspect: (Row) -> String?
    ) -> Bool {
        let verification = TableVerification<Row>(
            name: table, columns: columns, run: .none, dialect: .plain)
        let (faults, read) = verification.faults(
            in: folder, entries: manifest.files, precedes: precedes,
            inspect: { row in inspect(row).map { (.content, $0) } })
        rows += read
        let damaged = [table + ".csv", table + ".json"].filter(isDamaged)
        // A fault of a damaged file is its damage, and said with it.
        guard damaged.isEmpty else {
            for name in damaged {
                let fault = faults.sentences.first { $0.hasPrefix(name) }
                if let fault, let what = damage[name] { damage[name] = "\(what): \(fault)" }
            }
            return false
        }
        for sentence in faults.sentences { fail(sentence) }
        return faults.isEmpty
    }

    mutating func fail(_ sentence: String) {
        if failures.count < Self.mostFailures {
            failures.append(sentence)
        } else {
            moreFailures += 1
        }
    }

    // MARK: Files

    /// Whether a folder of these days has this name; that of one app has more after it.
    package func isNamed(_ name: String) -> Bool {
        let base = "\(kind.rawValue)-\(manifest.days.firstText)-\(manifest.days.lastText)"
        return name == base || name.hasPrefix(base + "-")
    }

    private mutating func checkNames() {
        guard let names = folder.names else { return fail("The folder cannot be listed.") }
        let listed = manifest.files.map(\.name)
        let known = Set(listed + [RangeManifest.fileName] + MarkedFolder.fileNames)
        for name in names.sorted() where !known.contains(name) {
            fail("\(name.debugDescription): is not listed in the manifest.")
        }
        let expected = Set(tables.flatMap { [$0 + ".csv", $0 + ".json"] } + documents)
        for name in expected.symmetricDifference(listed).sorted() {
            fail(
                "manifest.json: \(name.debugDescription) is unknown to this release, or"
                    + " is not listed.")
        }
    }

    private mutating func checkSums() {
        guard let sums = contents(Manifest.sumsName) else { return }
        if sums != Manifest.sums(manifest.files.filter { $0.name != Manifest.sumsName }) {
            fail("\(Manifest.sumsName): does not match manifest.json.")
        }
    }

    private mutating func failDamage() {
        for file in manifest.files {
            guard let difference = damage[file.name] else { continue }
            fail(difference.hasSuffix(".") ? difference : difference + ".")
            if difference.hasPrefix("\(file.name) cannot be read: ") { unreadableFiles += 1 }
        }
    }
}
