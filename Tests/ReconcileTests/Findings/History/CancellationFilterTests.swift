import Testing

@testable import Reconcile

@Suite("A filter of cancelled transactions")
struct CancellationFilterTests {
    private static func ids(_ range: Range<Int>) -> [TransactionID] {
        range.map { TransactionID("4800000\($0 * 7)") }
    }

    @Test("names every transaction that was put into it, and few others")
    func names() {
        var filter = CancellationFilter()
        #expect(!Self.ids(0..<1_000).contains(where: filter.mayContain))
        let cancelled = Self.ids(0..<100_000)
        for id in cancelled { filter.insert(id) }
        #expect(cancelled.allSatisfy(filter.mayContain))
        let named = Self.ids(100_000..<200_000).count(where: filter.mayContain)
        #expect(named < 100)
    }
}
