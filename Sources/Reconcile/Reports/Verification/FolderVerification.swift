/// Checks that a published folder is complete and ties out, from its files alone: digests, columns,
/// types, order, ids, sums and controls.
package struct FolderVerification {
    package private(set) var failures: [String] = []
    package private(set) var moreFailures = 0
    /// Nil when there is no readable manifest.
    package private(set) var run: RunID?
    /// SHA-256 of `manifest.json`, in hexadecimal.
    package private(set) var manifestSHA256 = ""
    package private(set) var marks: [MarkedFolder.Mark] = []
    package private(set) var files = 0
    package internal(set) var rows = 0

    let path: String
    var sums = FolderSums()
    private(set) var csvDialect = CSVDialect.plain

    private static let mostFailures = 100
    private static let mostDocumentBytes = 64 << 20

    package init(_ path: String) {
        self.path = path
        guard let manifest = document("manifest.json") else { return }
        manifestSHA256 = Digest.sha256(manifest).hexadecimal
        let stated = PrintedPaths(manifest)
        guard let id = stated["run_id"],
            let asOf = stated["as_of"].flatMap(Instant.init(rfc3339:))
        else {
            fail("manifest.json: names no run.")
            return
        }
        run = RunID(text: id)
        let entries = Manifest.entries(in: stated)
        files = entries.count
        csvDialect = stated["csv_dialect"].flatMap(CSVDialect.init) ?? .plain
        checkNames(entries)
        checkDigests(entries)
        checkPrint(of: stated, entries, manifest)
        checkSums(entries)
        guard let summary = document("summary.json").map(PrintedPaths.init) else { return }
        checkHead(stated, summary)
        checkTables(ReportingRun(id: id, asOf: asOf, scope: Self.scopeMark(summary)), entries)
        for difference in sums.differences(from: summary) { fail(difference) }
    }

    mutating func fail(_ sentence: String) {
        if failures.count < Self.mostFailures {
            failures.append(sentence)
        } else {
            moreFailures += 1
        }
    }

    private mutating func document(_ name: String) -> [UInt8]? {
        guard let file = FileReader(path + "/" + name) else {
            fail("\(name): is missing or cannot be read.")
            return nil
        }
        return file.take(Self.mostDocumentBytes)
    }

    // MARK: Files

    private mutating func checkNames(_ entries: [Manifest.Entry]) {
        guard let names = ReportsDirectory.names(at: path) else {
            return fail("The folder cannot be listed.")
        }
        marks = MarkedFolder.Mark.allCases.filter { names.contains($0.fileName) }
        let known = Set(
            entries.map(\.name) + ["manifest.json"] + marks.map(\.fileName))
        for name in names.sorted() where !known.contains(name) {
            fail("\(name.debugDescription): is not listed in the manifest.")
        }
        let tables = Self.tables.flatMap { table in
            [table + ".json"] + files(of: table, among: known)
        }
        let expected = Set(tables)
            .union(["summary.json", "index.html", "report.xlsx", Manifest.sumsName])
        for name in expected.symmetricDifference(entries.map(\.name)).sorted() {
            fail(
                "manifest.json: \(name.debugDescription) is unknown to this release, or"
                    + " is not listed.")
        }
    }

    /// File names of a table's CSV; for Excel, all consecutive parts.
    private func files(of table: String, among names: Set<String>) -> [String] {
        let more = (2...).lazy.map { CSV.name(of: table, part: $0) }
            .prefix { csvDialect == .excel && names.contains($0) }
        return [CSV.name(of: table, part: 1)] + more
    }

    private static let tables =
        FindingFile.allCases.map(\.rawValue) + ["cleared", "unverified", "not_reported", "totals"]

    private mutating func checkDigests(_ entries: [Manifest.Entry]) {
        do throws(ReportError) {
            let folder = try PublishedFolder(path: path)
            for entry in entries {
                if let difference = folder.difference(of: entry) { fail(difference + ".") }
            }
        } catch {
            fail(error.description)
        }
    }

    /// Reprints the manifest and compares bytes, which also covers whitespace and key order.
    private mutating func checkPrint(
        of manifest: PrintedPaths, _ entries: [Manifest.Entry], _ bytes: [UInt8]
    ) {
        let asOf = manifest["as_of"].flatMap(Instant.init(rfc3339:)) ?? .distantPast
        let again = Manifest(
            run: Run(
                id: RunID(text: manifest["run_id"] ?? ""), asOf: asOf, scope: .everything,
                isOffline: manifest["offline"] == "true",
                csvDialect: csvDialect),
            codeVersion: manifest["code_version"] ?? "", files: entries)
        if again.json(rulesVersion: manifest.integer("rules_version") ?? -1) != bytes {
            fail("manifest.json: is not formatted like a manifest.")
        }
    }

    private mutating func checkSums(_ entries: [Manifest.Entry]) {
        guard let sums = document(Manifest.sumsName) else { return }
        if sums != Manifest.sums(entries.filter { $0.name != Manifest.sumsName }) {
            fail("\(Manifest.sumsName): does not match manifest.json.")
        }
    }

    private mutating func checkHead(_ manifest: PrintedPaths, _ summary: PrintedPaths) {
        for key in ["run_id", "as_of", "rules_version", "code_version", "offline"]
        where manifest[key] != summary[key] {
            fail(
                "manifest.json: \(key) is \(manifest[key] ?? "missing"), in summary.json"
                    + " \(summary[key] ?? "missing").")
        }
    }

    private static func scopeMark(_ summary: PrintedPaths) -> String? {
        summary["scope"] == RunScope.everything.name ? nil : summary["scope"]
    }
}
