internal import Glibc

/// Writes the reports of one run to a staging folder and publishes them as `<reports>/<run_id>` by
/// an atomic rename, so that a reader sees all of them or none.
///
/// Each worker has its own staging folder, removed unless `publish` succeeds. The next run removes
/// what a killed process left behind.
package final class ReportFolder {
    let expirations: ReportTable<ReportedFinding>
    let refunds: ReportTable<ReportedFinding>
    let mismatches: ReportTable<ReportedFinding>
    let receipts: ReportTable<ReportedFinding>
    let cleared: ReportTable<ReportedFinding>
    let unverified: ReportTable<UnverifiedReceipt>
    let notReported: ReportTable<NotReportedRow>
    let totals: ReportTable<FindingTotal>
    /// Nil for a run that counts no units.
    let units: ReportTable<UnitLine>?

    private let run: Run
    private let staging: StagingFolder
    private let highlights: ReportHighlights
    private let workbook: Workbook

    /// - Parameters:
    ///   - reports: as `check` has returned it.
    ///   - group: the group that may read the reports; nil: the group that new files get.
    package init(
        reports: ReportsDirectory, run: Run, group: ReportGroup? = nil,
        rowsPerFile: Int = CSV.rowsPerFile
    ) throws(ReportError) {
        self.run = run
        let staging = try StagingFolder(reports: reports, named: run.folderName, group: group)
        let highlights = ReportHighlights()
        let workbook = Workbook(
            try ReportFile(named: "report.xlsx", in: staging.folder))
        func table<Row>(
            _ name: String, _ columns: [Column<Row>], sheet: [Column<Row>]? = nil,
            note: @escaping (Row) -> Void = { _ in }
        ) throws(ReportError) -> ReportTable<Row> {
            try ReportTable(
                named: name, columns: columns, of: run.reporting, run.csvDialect,
                in: staging.folder,
                sheet: TableSheet(name, columns: sheet ?? columns, in: workbook),
                rowsPerFile: rowsPerFile, note: note)
        }
        func findings(_ file: FindingFile) throws(ReportError) -> ReportTable<ReportedFinding> {
            try table(
                file.rawValue, ReportedFinding.columns, sheet: ReportedFinding.workbookColumns,
                note: highlights.note)
        }
        self.staging = staging
        self.workbook = workbook
        self.highlights = highlights
        expirations = try findings(.expirations)
        refunds = try findings(.refunds)
        mismatches = try findings(.mismatches)
        receipts = try findings(.receipts)
        cleared = try table(
            "cleared", ReportedFinding.columns, sheet: ReportedFinding.workbookColumns)
        unverified = try table("unverified", UnverifiedReceipt.columns)
        notReported = try table("not_reported", NotReportedRow.columns)
        totals = try table("totals", FindingTotal.columns, note: highlights.note)
        units = run.units == nil ? nil : try table("units", UnitLine.columns, note: highlights.note)
    }

    package func write(_ tables: ReportTables) async throws {
        for file in FindingFile.allCases {
            try await table(for: file).write(tables.findings(file))
        }
        try await cleared.write(tables.cleared.map { [run] in run.shown(cleared: $0) })
        try await unverified.write(tables.unverified)
        try await notReported.write(tables.notReported)
        try await totals.write(tables.totals)
        try await units?.write(tables.units)
    }

    func table(for file: FindingFile) -> ReportTable<ReportedFinding> {
        switch file {
        case .expirations: expirations
        case .refunds: refunds
        case .mismatches: mismatches
        case .receipts: receipts
        }
    }

    /// Finishes the tables, adds `summary.json`, `index.html`, `manifest.json` and `SHA256SUMS`,
    /// and publishes the folder by an atomic rename. Then points `latest` to it, unless the run is
    /// partial, a replay, a trial, or held.
    ///
    /// The folder is read back before `latest` moves. Publishing the same bytes again succeeds, as
    /// after a process was killed between publishing and recording it. Other bytes replace a folder
    /// of the same run: its record was lost, as by a failover. With `account` they do not.
    /// - Parameters:
    ///   - again: given when a published run is written again; `latest` then does not move.
    ///   - fence: throws when another worker has taken over publishing this run. Called right
    ///     before the rename and right before `latest` moves. When it throws, nothing further
    ///     happens; a folder that already has its final name stays.
    /// - Throws: `ReportError`, with `doesNotTie` when the summary disagrees with itself or with
    ///   the rows, `otherBytes` when a published run would get another manifest, and
    ///   `contentMismatch` when the folder differs from what was written; and what `fence` throws.
    package func publish(
        _ summary: Summary, codeVersion: String, again: Republication? = nil,
        fence: () async throws -> Void
    ) async throws -> (path: String, account: PublishedAccount) {
        defer { staging.discard() }
        try requireTies(summary)
        var files = try finish(summary, codeVersion: codeVersion)
        files.append(try staging.add(Manifest.sumsName, Manifest.sums(files)))
        let bytes = Manifest(run: run, codeVersion: codeVersion, files: files)
            .json(rulesVersion: summary.rulesVersion)
        let manifest = try staging.add("manifest.json", bytes)
        if let mark = try again?.mark(
            summary, manifestSHA256: manifest.sha256, at: staging.folder.path)
        {
            _ = try staging.add(ErasedMark.fileName, mark.json)
        }
        let isReplaced = again?.former != nil
        if isReplaced {
            for mark in MarkedFolder.fileNames where mark != ErasedMark.fileName {
                try staging.keep(mark)
            }
        }
        try staging.seal()
        try await fence()
        let (path, replacesOther) =
            isReplaced
            ? (try staging.replace(files, manifest: manifest), false)
            : try staging.publish(
                files, manifest: manifest, other: again == nil ? .isReplaced : .isKept)
        if again == nil, run.makesHistory, summary.status != .held {
            try await fence()
            try staging.moveLatest()
        }
        let json = SummaryReport.json(summary, codeVersion: codeVersion)
        return (
            path,
            PublishedAccount(
                summary: String(decoding: json, as: UTF8.self), manifestSHA256: manifest.sha256,
                replacesOther: replacesOther)
        )
    }

    private func finish(
        _ summary: Summary, codeVersion: String
    ) throws(ReportError) -> [Manifest.Entry] {
        var files = try expirations.finish() + refunds.finish() + mismatches.finish()
        files += try receipts.finish() + cleared.finish() + unverified.finish()
        files += try notReported.finish() + totals.finish()
        if let units { files += try units.finish() }
        files.append(
            try workbook.finish(
                summary: { sheets in
                    SummarySheet.rows(summary, codeVersion: codeVersion, sheets: sheets)
                },
                details: [
                    ("Details", 1, { sheets in DetailSheet.rows(summary, sheets: sheets) }),
                    ("Ageing", 1, { _ in AgeingSheet.rows(summary) }),
                ]))
        let json = SummaryReport.json(summary, codeVersion: codeVersion)
        files.append(try staging.add("summary.json", json))
        let page = SummaryPage.bytes(
            summary, costliest: highlights.costliest, codeVersion: codeVersion)
        files.append(try staging.add("index.html", page))
        return files
    }

    private func requireTies(_ summary: Summary) throws(ReportError) {
        if let difference = difference(from: summary) {
            throw ReportError(.doesNotTie(difference), path: staging.folder.path)
        }
    }

    private func difference(from summary: Summary) -> String? {
        let checked = summary.receipts
        let rights = summary.entitlements
        if !checked.isBalanced { return "the controls of receipts do not balance, \(checked)" }
        if !rights.isBalanced { return "the controls of entitlements do not balance, \(rights)" }
        for file in FindingFile.allCases {
            let rows = table(for: file).rowCount
            let counted = summary.findings.byFile[file] ?? 0
            if rows != counted { return "\(file.rawValue) has \(rows) rows, not \(counted)" }
        }
        if let units = summary.facts.units, units != highlights.units {
            return "the rows of units come to \(highlights.units), not \(units)"
        }
        if let unsummable = highlights.unsummable { return unsummable.what }
        if !highlights.money.isSame(as: summary.money) {
            return "the rows come to \(highlights.money), not \(summary.money)"
        }
        if highlights.totalCount != summary.findings.total {
            return "totals come to \(highlights.totalCount) findings, not"
                + " \(summary.findings.total)"
        }
        if !highlights.totalMoney.isSame(as: summary.money) {
            return "totals come to \(highlights.totalMoney), not \(summary.money)"
        }
        // The table also lists stored rows with a null, which the summary counts as unusable.
        let unchecked = checked[.unverified]...(checked[.unverified] + checked[.unusable])
        guard unchecked.contains(unverified.rowCount) else {
            return "unverified has \(unverified.rowCount) rows, not \(checked[.unverified])"
        }
        if notReported.rowCount != rights.notReported {
            return "not_reported has \(notReported.rowCount) rows, not \(rights.notReported)"
        }
        return nil
    }
}

extension ReportFolder {
    /// Checks before the first request whether reports can be written. Creates the folder (0750,
    /// setgid under a setgid parent) if it is missing, but not its parents, because that would hide
    /// a misspelt path. Removes what killed processes left in it. Then performs every step of
    /// publishing with a probe: create, write, sync, rename, remove, and link.
    /// - Parameter leavesNothing: removes the folder again if this call created it; an existing one
    ///   keeps its group.
    /// - Returns: the open folder, in which the command works to its end.
    /// - Throws: `cannotCreate`, `writableByOthers`, `ownedByAnother`, `noLinks` or `occupied`;
    ///   `writeFailed` for a full or broken disk.
    @discardableResult
    package static func check(
        _ path: String, group: ReportGroup? = nil, leavesNothing: Bool = false
    ) throws(ReportError) -> ReportsDirectory {
        let isMade = try makeFolder(path)
        // rmdir removes only an empty folder.
        defer { if isMade, leavesNothing { rmdir(path) } }
        let reports = try ReportsDirectory(path: path)
        if let group, isMade || !leavesNothing { try reports.give(to: group) }
        // The last step of publishing would fail.
        guard !reports.folder.contains("latest") || reports.folder.isLink("latest") else {
            throw ReportError(.occupied, path: path + "/latest")
        }
        let probe = ReportsDirectory.stagingName(for: "probe")
        let moved = ReportsDirectory.stagingName(for: "probe-moved")
        try reports.locked { () throws(ReportError) in
            reports.removeLeftovers()
            let folder = try reports.makeLockedFolder(probe, for: group)
            defer { for name in [probe, moved] { reports.remove(folder, named: name) } }
            let file = try ReportFile(named: "probe", in: folder)
            try file.write { $0.append(contentsOf: "probe\n".utf8) }
            _ = try file.finish(rows: nil)
            try ReportsDirectory.admitGroup(to: folder)
            try reports.rename(probe, to: moved)
            try reports.requireLinks()
            try reports.folder.sync()
        }
        return reports
    }

    /// - Returns: false when the folder already exists.
    private static func makeFolder(_ path: String) throws(ReportError) -> Bool {
        guard mkdir(path, 0o750) != 0 else {
            try ReportsDirectory(path: path).admitGroup()
            return true
        }
        guard errno == EEXIST else { throw ReportError(.cannotCreate(errno), path: path) }
        return false
    }
}
