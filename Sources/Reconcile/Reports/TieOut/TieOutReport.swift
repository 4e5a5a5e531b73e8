/// Writes the folder `tie-out-<from>-<to>`: the table, its summary and the page.
package struct TieOutReport: Sendable {
    private let tieOut: TieOut
    private let codeVersion: String

    package init(_ tieOut: TieOut, codeVersion: String) {
        self.tieOut = tieOut
        self.codeVersion = codeVersion
    }

    /// Puts the folder in place of an earlier one for the same days.
    /// - Returns: its path.
    package func write(
        in reports: ReportsDirectory, for group: ReportGroup? = nil
    ) async throws -> String {
        let folder = try RangeFolder(
            reports: reports, named: RangeName(.tieOut, tieOut.range), group: group)
        let table = try folder.table("tie_out", TieOutLine.columns)
        try await table.write(ReportRows([tieOut.lines]))
        folder.add(try table.finish())
        try folder.add("summary.json", summary)
        try folder.add("index.html", TieOutPage(tieOut).bytes)
        return try folder.publish(codeVersion: codeVersion)
    }

    /// `summary.json`, also for `--output json`.
    package var summary: [UInt8] { tieOut.summary.bytes }

    /// For a terminal: the sentence, and what is not tied.
    package func text(folder: String) -> String {
        var lines = [tieOut.sentence]
        lines += tieOut.untied.prefix(Self.mostLines).map(\.sentence)
        let more = tieOut.untied.count - Self.mostLines
        if more > 0 { lines.append("… and \(more.grouped) more lines.") }
        if let missing = tieOut.missingSentence { lines.append(missing) }
        lines.append("\(folder)/index.html says more.")
        return lines.map { $0.escapingControls() + "\n" }.joined()
    }

    private static let mostLines = 10
}

extension TieOut {
    /// Lines of all days that are not tied, the greatest difference first.
    var untied: [TieOutLine] {
        linesOfAllDays.filter { $0.verdict != .tied }.sorted { left, right in
            let (one, other) = (left.units.difference.magnitude, right.units.difference.magnitude)
            return one == other ? left.key < right.key : one > other
        }
    }

    var missingSentence: String? {
        let lists = [(missingInReports, "in no file"), (missingInRuns, "in no published run")]
        let parts = lists.filter { !$0.0.isEmpty }.map { days, what in
            (days.count == 1 ? "1 day is " : "\(days.count.grouped) days are ") + what
        }
        return parts.isEmpty
            ? nil : "Not compared: \(parts.joined(separator: ", "))."
    }
}

extension TieOutLine {
    fileprivate var sentence: String {
        let app = key.bundle.map { " of \($0)" } ?? ""
        return "\(HTML.excerpt(key.product.text))\(app), \(key.measure.rawValue): Apple"
            + " \(units.apple.grouped), ours \(units.ours.grouped)"
    }
}
