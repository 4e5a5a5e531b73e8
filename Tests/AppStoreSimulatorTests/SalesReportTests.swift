import Testing

@testable import AppStoreSimulator

/// To add a case: a store of a few customers, and what its reports count.
@Suite("The simulated sales reports")
struct SalesReportTests {
    /// The cells of a line, by the names in the header.
    private typealias Line = [String: String]

    private func lines(of reports: [SalesReport]) -> [Line] {
        reports.flatMap { report in
            let rows = report.text.split(separator: "\n").map {
                $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            }
            return rows.dropFirst().map { Line(uniqueKeysWithValues: zip(rows[0], $0)) }
        }
    }

    private func units(_ lines: [Line]) -> [Int] {
        lines.compactMap { $0["Units"].flatMap { Int($0) } }
    }

    @Test("There is one for each whole Pacific day before now, named by it, the oldest first")
    func days() {
        // 2026-11-20T02:00:00Z is the 19th in California.
        let reports = SimulatedStore.demo(customers: 40).salesReports(days: 62)
        #expect(reports.count == 62)
        #expect(reports.first?.name == "S_D_80000000_20260918.txt")
        #expect(reports.last?.name == "S_D_80000000_20261118.txt")
        for report in reports {
            #expect(lines(of: [report]).allSatisfy { $0["Begin Date"] == $0["End Date"] })
        }
        let last = lines(of: Array(reports.suffix(1))).first
        #expect(last.map { $0["Begin Date"] == "11/18/2026" } != false)
    }

    @Test("They count what production customers bought, trials too, and neither shares nor sandbox")
    func sold() {
        let store = SimulatedStore.demo(customers: 300)
        let customers = (0..<300).map(store.customer) + Stranger.numbers.map(store.customer)
        let bought = customers.flatMap(\.accounts).filter { !$0.isSandbox }
            .flatMap { $0.known(at: store.now) }.filter { !$0.isShared }
        let days = 10_000
        let sold = units(lines(of: store.salesReports(days: days))).filter { $0 > 0 }
        #expect(sold.reduce(0, +) == bought.map(\.quantity).reduce(0, +))
        let shared = customers.flatMap(\.accounts).flatMap { $0.known(at: store.now) }
            .count { $0.isShared }
        #expect(shared > 0)
    }

    @Test("A refund is a line of negative units, also of customers whom the service never met")
    func refunded() {
        let refunds = lines(of: SimulatedStore.demo(customers: 0).salesReports(days: 62))
            .filter { $0["Units"]?.hasPrefix("-") == true }
        #expect(refunds.count > 1)
        #expect(refunds.allSatisfy { $0["Product Type Identifier"]?.hasPrefix("IA") == true })
        #expect(refunds.contains { $0["Parent Identifier"] == "ATLAS" })
    }
}
