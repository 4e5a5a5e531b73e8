internal import Glibc

/// Marks the folder of a retracted or released run: adds `RETRACTED.json` or `RELEASED.json` and
/// leaves the other files unchanged.
package struct MarkedFolder: Sendable {
    package enum Mark: String, Sendable, CaseIterable {
        case released, retracted

        package var fileName: String { rawValue.uppercased() + ".json" }
    }

    /// The files that may be beside the manifest, which does not list them.
    static let fileNames =
        Mark.allCases.map(\.fileName) + [ErasedMark.fileName, SignOffFile.fileName]

    let mark: Mark
    let run: RunID
    let by: String
    let why: String
    let at: Instant

    package init(_ mark: Mark, run: RunID, by: String, why: String, at: Instant) {
        self.mark = mark
        self.run = run
        self.by = by
        self.why = why
        self.at = at
    }

    package static func isPublished(_ run: RunID, in reports: ReportsDirectory) -> Bool {
        reports.folder.contains(run.text)
    }

    /// Writes the file and points `latest` to `newest`; removes a `latest` that points to this run
    /// when `newest` has no folder here. Idempotent.
    /// - Parameter onlyFromHere: leaves `latest` alone when it points to another run.
    /// - Returns: false when the run has no folder in `reports`.
    package func publish(
        in directory: ReportsDirectory, newest: RunID?, onlyFromHere: Bool = false
    ) throws(ReportError) -> Bool {
        guard directory.folder.contains(run.text) else { return false }
        return try directory.locked { () throws(ReportError) in
            try write(in: OpenFolder(run.text, in: directory.folder))
            guard !onlyFromHere || directory.target(of: "latest") == run.text else { return true }
            if let newest, directory.folder.contains(newest.text) {
                try directory.link("latest", to: newest.text)
            } else {
                try directory.unlink("latest", leadingTo: run.text)
            }
            return true
        }
    }

    private func write(in folder: OpenFolder) throws(ReportError) {
        unlinkat(folder.descriptor, mark.fileName, 0)
        let file = try ReportFile(named: mark.fileName, in: folder)
        let json = PrintedJSON.object([
            ("run_id", .string(run.text)), ("\(mark.rawValue)_by", .string(by)),
            ("why", .string(why)), ("\(mark.rawValue)_at", .string(at.description)),
        ])
        try file.write { $0.append(contentsOf: json.bytes) }
        _ = try file.finish(rows: nil)
    }
}
