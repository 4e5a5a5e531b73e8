internal import SQL

/// Compares the findings of two runs. Holds one page of each in memory.
package struct FindingDifferences: Sendable {
    let session: DatabaseSession
    let old: RunID
    let new: RunID

    /// Calls `show` for each difference, in the order of finding ids. `all` includes events and
    /// columns that change every night, such as days and amounts.
    package func forEach(
        all: Bool, _ show: (FindingDifference) throws -> Void
    ) async throws {
        var before = Cursor(findings(of: old))
        var after = Cursor(findings(of: new))
        while true {
            let left = try await before.peek()
            let right = try await after.peek()
            guard let id = [left, right].compactMap({ $0?.id }).min(by: { $0.bytesPrecede($1) })
            else { return }
            let inOld = left?.id == id ? before.take() : nil
            let inNew = right?.id == id ? after.take() : nil
            if let difference = FindingDifference(inOld, inNew, all: all) { try show(difference) }
        }
    }

    private func findings(of run: RunID) -> DatabaseRows<ReportedFinding> {
        DatabaseRows(
            rows: session.stream(FindingStatement.byID, [run.text]) {
                row in try ReportedFinding(row)
            })
    }
}

private struct Cursor {
    private var pages: DatabaseRows<ReportedFinding>.Iterator
    private var page: ArraySlice<ReportedFinding> = []

    init(_ rows: DatabaseRows<ReportedFinding>) { pages = rows.makeAsyncIterator() }

    mutating func peek() async throws -> ReportedFinding? {
        while page.isEmpty {
            guard let next = try await pages.next() else { return nil }
            page = next[...]
        }
        return page.first
    }

    mutating func take() -> ReportedFinding? { page.popFirst() }
}
