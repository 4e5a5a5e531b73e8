/// The lines before the header of financial detail, which say what days the report covers.
struct ReportPreamble {
    private struct Entry {
        let day: Instant?
        /// For a message.
        let quoted: String
        let line: Int
    }

    private var entries: [String: Entry] = [:]

    private static let first = "Start Date"
    private static let last = "End Date"

    mutating func take(_ line: UnsafeRawBufferPointer, _ number: Int) {
        let cells = ReportHeader.cells(of: line, atMost: 3).map(ReportCell.init)
        guard cells.count > 1, let name = cells.first?.text.lowercased() else { return }
        guard entries[name] == nil, let value = cells.dropFirst().first else { return }
        entries[name] = Entry(day: value.day, quoted: value.quoted, line: number)
    }

    func days() throws(ReportProblem) -> (first: Instant, last: Instant) {
        (try day(Self.first), try day(Self.last))
    }

    private func day(_ name: String) throws(ReportProblem) -> Instant {
        guard let entry = entries[name.lowercased()] else {
            throw ReportProblem(
                "No line before this header has \(name), so it is unknown what days the report"
                    + " covers. Give the file as Apple wrote it.")
        }
        guard let day = entry.day else {
            throw ReportProblem(
                "\(name) \(entry.quoted) is no day in the form MM/DD/YYYY. Give the file as Apple"
                    + " wrote it.", line: entry.line)
        }
        return day
    }
}
