import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A column chart")
struct ColumnChartTests {
    /// The marks of a scale. To add one, copy a line.
    struct Scale: Sendable {
        let greatest: Double
        var least = 0.0
        let marks: [String]
    }

    @Test(
        "Its scale begins at zero and ends at the greatest value or a little above",
        arguments: [
            Scale(greatest: 1, marks: ["0", "0.20", "0.40", "0.60", "0.80", "1"]),
            Scale(greatest: 1, least: 1, marks: ["0", "1"]),
            Scale(greatest: 11, least: 1, marks: ["0", "5", "10", "15"]),
            Scale(greatest: 7, marks: ["0", "2", "4", "6", "8"]),
            Scale(greatest: 1_234, marks: ["0", "250", "500", "750", "1,000", "1,250"]),
            Scale(
                greatest: 61_000_000, marks: ["0", "20 M", "40 M", "60 M", "80 M"]),
            Scale(
                greatest: 11_000_000,
                marks: [
                    "0", "2,500,000", "5,000,000", "7,500,000",
                    "10 M", "12.5 M",
                ]),
        ])
    func scale(_ scale: Scale) {
        let axis = ChartScale(to: scale.greatest, least: scale.least)
        #expect(axis.marks.map(ChartScale.text) == scale.marks)
        #expect(axis.top >= scale.greatest)
    }

    private func values(_ series: [[Double]], days: Int) -> [String] {
        let labels = (1...days).map { "2026-11-\($0)" }
        let chart = Chart.columns("Refunds", labels, series) { Int($0).grouped }
        let value = #/<text class="value"[^>]*>([^<]*)</#
        return chart.text.matches(of: value).map { String($0.1) }
    }

    @Test("Each column has its value where there is room, else the greatest and the last")
    func printsValues() {
        #expect(values([[3, 12, 7]], days: 3) == ["3", "12", "7"])
        let many = (1...28).map { $0 == 9 ? 5_000.0 : Double(1_000 + $0) }
        #expect(values([many], days: 28) == ["5,000", "1,028"])
    }

    @Test("A series of nothing is said to be nothing")
    func nothing() {
        #expect(Chart.columns("Refunds", ["a"], [[0]]) { _ in "" }.text.contains("nothing to show"))
    }
}
