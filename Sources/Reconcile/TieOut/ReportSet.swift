/// The report files of a tie-out: of one kind, no day in two of them.
package struct ReportSet: Sendable {
    struct File: Sendable {
        let report: AppleReport
        /// Of files with the same content and days, the first counts.
        let isCounted: Bool
    }

    /// By name.
    let files: [File]
    package let kind: AppleReport.Kind

    /// Why files do not belong together.
    package enum Mismatch: Error, Equatable {
        case noFiles
        /// A sales report and a financial one.
        case kinds(sales: String, financial: String)
        case unreadable(UnreadableReport)
    }

    package init(_ reports: [AppleReport]) throws(Mismatch) {
        let files = reports.sorted { $0.precedes($1) }
        guard let first = files.first else { throw .noFiles }
        let other = files.first { $0.kind != first.kind }
        if let other {
            let (sales, financial) = first.kind == .sales ? (first, other) : (other, first)
            throw .kinds(sales: sales.path, financial: financial.path)
        }
        var seen: Set<Content> = []
        var fileOfDay: [Instant: AppleReport] = [:]
        var all: [File] = []
        for file in files {
            let isCounted = seen.insert(Content(file)).inserted
            all.append(File(report: file, isCounted: isCounted))
            guard isCounted else { continue }
            for (day, line) in file.days.sorted(by: { $0.key < $1.key }) {
                if let former = fileOfDay.updateValue(file, forKey: day) {
                    throw .unreadable(
                        UnreadableReport(
                            path: file.path, line: line,
                            problem: "\(day.dayText) is also in \(former.path), whose content"
                                + " differs. Give one file for each day."))
                }
            }
        }
        self.files = all
        kind = first.kind
    }

    /// Files with the same bytes, unpacked, are one report; without rows the name tells the day.
    private struct Content: Hashable {
        let sha256: String
        let days: Set<Instant>

        init(_ file: AppleReport) {
            sha256 = file.contentSHA256
            days = Set(file.days.keys)
        }
    }

    var days: Set<Instant> { Set(files.flatMap(\.report.days.keys)) }

    /// From the first to the last day of the files; nil without a day.
    package var range: PacificDays? {
        days.min().flatMap { first in
            days.max().flatMap { PacificDays(first: first, last: $0) }
        }
    }
}

extension AppleReport {
    /// By name, so that the order on the command line does not matter.
    fileprivate func precedes(_ other: AppleReport) -> Bool {
        let (own, others) = ([name, sha256, path], [other.name, other.sha256, other.path])
        guard let (left, right) = zip(own, others).first(where: { !$0.hasSameBytes(as: $1) })
        else { return false }
        return left.bytesPrecede(right)
    }
}
