/// The rows of a table, page by page, in the order of the report contract.
package struct ReportRows<Row: Sendable>: Sendable {
    private let pages: @Sendable (_ take: ([Row]) throws -> Void) async throws -> Void

    package init<Pages: AsyncSequence & Sendable>(_ pages: Pages) where Pages.Element == [Row] {
        self.pages = { take in for try await page in pages { try take(page) } }
    }

    package init(_ pages: [[Row]]) { self.pages = { take in for page in pages { try take(page) } } }

    func map(_ change: @escaping @Sendable (Row) -> Row) -> ReportRows {
        ReportRows { take in try await pages { try take($0.map(change)) } }
    }

    private init(_ pages: @escaping @Sendable (([Row]) throws -> Void) async throws -> Void) {
        self.pages = pages
    }

    func feed(_ take: ([Row]) throws -> Void) async throws { try await pages(take) }
}
