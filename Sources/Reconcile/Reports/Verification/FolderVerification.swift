/// Proves that a published folder is whole and ties out, from its files alone: digests, columns,
/// types, order, ids, sums and controls.
package struct FolderVerification {
    /// Each a sentence.
    package private(set) var failures: [String] = []
    /// Failures beyond those that are listed.
    package private(set) var moreFailures = 0
    /// Nil: there is no manifest that can be read.
    package private(set) var run: RunID?
    /// SHA-256 of `manifest.json`, in hexadecimal.
    package private(set) var manifestSHA256 = ""
    /// Whether the folder says that the run was retracted, or released.
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
            fail("manifest.json: it names no run.")
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
            fail("\(name): it is missing, or cannot be read.")
            return nil
        }
        return file.take(Self.mostDocumentBytes)
    }

    // MARK: Files

    /// Every file of a folder is listed, and every file that is listed is one of a folder.
    private mutating func checkNames(_ entries: [Manifest.Entry]) {
        guard let names = ReportsDirectory.names(at: path) else {
            return fail("The folder cannot be listed.")
        }
        marks = MarkedFolder.Mark.allCases.filter { names.contains($0.fileName) }
        let known = Set(
            entries.map(\.name) + ["manifest.json"] + marks.map(\.fileName))
        for name in names.sorted() where !known.contains(name) {
            fail("\(name.debugDescription): the manifest does not list it.")
        }
        let tables = Self.tables.flatMap { table in
            [table + ".json"] + files(of: table, among: known)
        }
        let expected = Set(tables)
            .union(["summary.json", "index.html", "report.xlsx", Manifest.sumsName])
        for name in expected.symmetricDifference(entries.map(\.name)).sorted() {
            fail(
                "manifest.json: \(name.debugDescription) is no file of this release's folders, or"
                    + " is not listed.")
        }
    }

    /// The CSV of a table: for Excel, of as many files as follow each other.
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

    /// A byte of the manifest that says nothing is held by the way in which it is printed.
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
            fail("manifest.json: it is not printed as a manifest is.")
        }
    }

    private mutating func checkSums(_ entries: [Manifest.Entry]) {
        guard let sums = document(Manifest.sumsName) else { return }
        if sums != Manifest.sums(entries.filter { $0.name != Manifest.sumsName }) {
            fail("\(Manifest.sumsName): it is not what manifest.json comes to.")
        }
    }

    /// What both documents say of the run.
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
