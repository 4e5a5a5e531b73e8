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
    /// Nil for a folder as it was published.
    package private(set) var erasure: StatedErasure?
    /// Who signed it.
    package private(set) var signatures = FolderSignatures()
    package private(set) var files = 0
    package internal(set) var rows = 0

    /// As the summary says; nil when it cannot be read.
    package private(set) var status: Summary.Status?
    /// Nil for a run over everything that is no replay and no trial.
    package private(set) var scopeMark: String?

    /// Nil when it cannot be opened.
    package let folder: OpenFolder?
    var sums = FolderSums()
    /// How files differ from what the manifest lists, by name.
    private var damage: [String: String] = [:]
    /// How many failures are files that cannot be read, and say nothing about their content.
    package private(set) var unreadableFiles = 0
    private(set) var csvDialect = CSVDialect.plain
    /// Whether the summary says that the run counts units.
    private(set) var countsUnits = false

    private static let mostFailures = 100
    private static let mostDocumentBytes = 64 << 20

    package init(_ path: String) {
        folder = try? OpenFolder(path: path)
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
        let summary = contents("summary.json").map(PrintedPaths.init)
        countsUnits = summary?["units.from"] != nil
        damage = damage(of: entries)
        checkNames(entries)
        checkPrint(of: stated, entries, manifest)
        checkSums(entries)
        checkErasure()
        signatures = FolderSignatures(
            in: folder, manifest: manifestSHA256,
            former: erasure.map { [$0.former, $0.published] } ?? [])
        let head = summary.flatMap { Self.headDifference(stated, $0) }
        var faults: [String: TableFaults] = [:]
        if let summary, head == nil {
            status = summary["status"].flatMap(Summary.Status.init)
            scopeMark = Self.scopeMark(summary)
            let stamp = RowStamp(id: id, asOf: asOf, scope: scopeMark)
            faults = tableFaults(stamp, entries)
            if countsUnits { faults["units"] = unitFaults(in: summary, stamp, entries) }
        }
        let isWhole = faults.isEmpty && !Self.tables.contains(where: isDamaged)
        let wrong = head ?? summary.flatMap { isWhole ? wrongNumbers($0) : nil }
        failDamage(entries, faults, ofSummary: wrong)
        // A damaged summary says nothing about the tables, and only its damage is reported.
        guard damage["summary.json"] == nil else { return }
        for table in Self.tables where !isDamaged(table) {
            for sentence in faults[table]?.sentences ?? [] { fail(sentence) }
        }
        if let wrong { fail(wrong) }
    }

    /// One line for each file that is not what the manifest lists, with the first fault of its
    /// table, which is the same damage.
    private mutating func failDamage(
        _ entries: [Manifest.Entry], _ faults: [String: TableFaults], ofSummary wrong: String?
    ) {
        var reported: Set<String> = []
        for entry in entries {
            guard let difference = damage[entry.name] else { continue }
            // What was read before the error is no fault of the file.
            guard !difference.hasPrefix("\(entry.name) cannot be read: ") else {
                fail("\(difference).")
                unreadableFiles += 1
                continue
            }
            let table = Self.table(of: entry.name)
            let fault = table == "summary.json" ? wrong : faults[table]?.sentences.first
            let detail = reported.insert(table).inserted ? fault : nil
            fail("\(difference)\(detail.map { ": " + $0 } ?? ".")")
        }
    }

    /// The first number of the summary that the rows do not add up to, and how many more.
    private func wrongNumbers(_ summary: PrintedPaths) -> String? {
        // A folder that was written anew without erased users has less than the run recorded.
        let coverage = erasure == nil ? FolderSums.coverageDifferences(in: summary) : []
        let differences = sums.differences(from: summary) + coverage
        guard let first = differences.first else { return nil }
        let more = differences.count - 1
        guard more > 0 else { return first }
        return first.dropLast() + "; \(more.grouped) more"
            + " \(more == 1 ? "number does" : "numbers do") not agree either."
    }

    /// Whether a file of the table is not what the manifest lists.
    package func isDamaged(_ table: String) -> Bool {
        damage.keys.contains { Self.table(of: $0) == table }
    }

    /// The table that a file belongs to; for another file its name.
    private static func table(of file: String) -> String {
        tables.first { table in
            file == table + ".json" || file == table + ".csv" || file.hasPrefix(table + "-part-")
        } ?? file
    }

    mutating func fail(_ sentence: String) {
        if failures.count < Self.mostFailures {
            failures.append(sentence)
        } else {
            moreFailures += 1
        }
    }

    private mutating func document(_ name: String) -> [UInt8]? {
        guard let bytes = contents(name) else {
            fail("\(name): is missing or cannot be read.")
            unreadableFiles += folder?.contains(name) == true ? 1 : 0
            return nil
        }
        return bytes
    }

    private func contents(_ name: String) -> [UInt8]? {
        folder?.contents(of: name, atMost: Self.mostDocumentBytes)
    }

    // MARK: Files

    private mutating func checkNames(_ entries: [Manifest.Entry]) {
        guard let names = folder?.names else {
            return fail("The folder cannot be listed.")
        }
        marks = MarkedFolder.Mark.allCases.filter { names.contains($0.fileName) }
        let known = Set(
            entries.map(\.name) + ["manifest.json"] + MarkedFolder.fileNames)
        for name in names.sorted() where !known.contains(name) {
            fail("\(name.debugDescription): is not listed in the manifest.")
        }
        let tables = Self.tables.filter { $0 != "units" || countsUnits }.flatMap { table in
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
            .prefix { csvDialect.isForSpreadsheets && names.contains($0) }
        return [CSV.name(of: table, part: 1)] + more
    }

    private static let tables =
        FindingFile.allCases.map(\.rawValue) + [
            "cleared", "unverified", "not_reported", "totals", "units",
        ]

    private func damage(of entries: [Manifest.Entry]) -> [String: String] {
        guard let folder = folder.map(PublishedFolder.init) else { return [:] }
        var damage: [String: String] = [:]
        for entry in entries { damage[entry.name] = folder.difference(of: entry) }
        return damage
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
        guard let sums = contents(Manifest.sumsName), damage[Manifest.sumsName] == nil else {
            return
        }
        if sums != Manifest.sums(entries.filter { $0.name != Manifest.sumsName }) {
            fail("\(Manifest.sumsName): does not match manifest.json.")
        }
    }

    private mutating func checkErasure() {
        guard let bytes = contents(ErasedMark.fileName) else { return }
        erasure = StatedErasure(bytes)
        if erasure == nil {
            fail("\(ErasedMark.fileName): is not what prune --folders or report writes.")
        } else if erasure?.run != run?.text || erasure?.manifest != manifestSHA256 {
            fail("\(ErasedMark.fileName): is of another manifest.json than this folder's.")
        }
    }

    private static func headDifference(
        _ manifest: PrintedPaths, _ summary: PrintedPaths
    ) -> String? {
        let keys = ["run_id", "as_of", "rules_version", "code_version", "offline"]
        return keys.first { manifest[$0] != summary[$0] }.map { key in
            "manifest.json: \(key) is \(manifest[key] ?? "missing"), in summary.json"
                + " \(summary[key] ?? "missing")."
        }
    }

    private static func scopeMark(_ summary: PrintedPaths) -> String? {
        summary["scope"] == Run.Scope.everything.name ? nil : summary["scope"]
    }
}
