import Testing

@testable import Reconcile
@testable import TestSupport

/// Apple's and our sales of one product on the days 4, 5 and 6, and the verdict of each day.
///
/// To add a case: a row. A day without a figure is not compared.
private struct Days: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Ours less Apple's; nil: we lack the day.
    let differences: [Int?]
    let verdicts: [TieOutLine.Verdict?]

    init(_ label: String, _ differences: Int?..., are verdicts: TieOutLine.Verdict?...) {
        testDescription = label
        self.differences = differences
        self.verdicts = verdicts
    }

    static let all = [
        Days("equal", 0, 0, 0, are: .tied, .tied, .tied),
        Days("over midnight", 2, -2, 0, are: .shifted, .shifted, .tied),
        Days("to both sides", -1, 3, -2, are: .appleHasMore, .shifted, .appleHasMore),
        Days("not to the day after the next", 1, 0, -1, are: .oursHasMore, .tied, .appleHasMore),
        Days("a part", 2, -1, 0, are: .oursHasMore, .appleHasMore, .tied),
        Days("two shifts", 1, -1, 1, are: .shifted, .shifted, .shifted),
        Days("a neighbour that we lack", nil, -2, 0, are: nil, .appleHasMore, .tied),
        Days("before a day that we lack", 1, nil, -1, are: .oursHasMore, nil, .appleHasMore),
    ]
}

@Suite("A tie-out")
struct TieOutTests {
    @Test("A day is tied, shifted to a day beside it, or has more", arguments: Days.all)
    private func days(of case: Days) throws {
        let apple = AppleReport.of(
            .on(4, "pro", 10), .on(5, "pro", 10), .on(6, "pro", 10), days: 4...6)
        var ours = PublishedUnits.of(days: 4...6)
        for (index, difference) in `case`.differences.enumerated() {
            let day = index + 4
            guard let difference else {
                ours.runOfDay[.nov(day)] = nil
                continue
            }
            ours.figures += PublishedUnits.of(.on(day, "pro", 10 + difference), days: 4...6).figures
        }
        let tieOut = try TieOut.of([apple], ours)
        #expect((4...6).map { tieOut.line(on: $0)?.verdict } == `case`.verdicts)
    }

    @Test("A day without a line of its own is a neighbour with no difference")
    func emptyNeighbour() throws {
        let apple = AppleReport.of(.on(5, "pro", 1), days: 4...6)
        let tieOut = try TieOut.of([apple], .of(.on(6, "pro", 1), days: 4...6))
        #expect(tieOut.line(on: 4) == nil)
        #expect(tieOut.line(on: 5)?.verdict == .shifted)
        #expect(tieOut.line(on: 6)?.verdict == .shifted)
        #expect(tieOut.line()?.verdict == .tied)
    }

    @Test("Days that a file or a run lacks are listed, and in no sum")
    func missing() throws {
        let reports = [
            AppleReport.of(.on(4, "pro", 5), days: 4...4, named: "4.txt"),
            AppleReport.of(.on(7, "pro", 5), days: 7...7, named: "7.txt"),
        ]
        let ours = PublishedUnits.of(
            .on(4, "pro", 5), .on(5, "pro", 9), .on(7, "pro", 5), days: 4...5)
        let tieOut = try TieOut.of(reports, ours, days: 3...8)
        #expect(tieOut.days == [.nov(4)])
        #expect(tieOut.missingInReports == [3, 5, 6, 8].map(Instant.nov))
        #expect(tieOut.missingInRuns == [3, 6, 7, 8].map(Instant.nov))
        #expect(tieOut.line()?.units == TieOutLine.Units(apple: 5, ours: 5))
        #expect(tieOut.usedRuns.map(\.days) == [1])
        let sentence = "Not compared: 4 days are in no file, 4 days are in no published run."
        #expect(tieOut.missingSentence == sentence)
    }

    @Test("Without a day that both have there is nothing")
    func nothing() throws {
        let set = try ReportSet([AppleReport.of(.on(4, "pro", 5), days: 4...4)])
        let range = try #require(set.range)
        let none = TieOut(set, .of(days: 5...6), in: range, TieOutScope(), products: [])
        #expect(none == nil)
    }

    @Test("A product is of the one app whose figures show it, else of none, and is added up")
    func homes() throws {
        let apple = AppleReport.of(
            .on(4, "pro", 3), .on(4, "both", 7), .on(4, "lost", 1), days: 4...4)
        let ours = PublishedUnits.of(
            .on(4, "pro", 3), .on(4, "both", 4), .on(4, "both", 2, of: "app.two"), days: 4...4)
        let tieOut = try TieOut.of([apple], ours)
        #expect(tieOut.line("pro")?.key.bundle == "app.one")
        #expect(tieOut.line("both")?.key.bundle == nil)
        #expect(tieOut.line("both")?.units == TieOutLine.Units(apple: 7, ours: 6))
        #expect(tieOut.line("lost")?.key.bundle == nil)
    }

    @Test("With apps only their rows and figures count, each app by itself")
    func apps() throws {
        let apple = AppleReport.of(
            .on(4, "pro", 3), .on(4, "pro", 5, under: "UNO"), .on(4, "pro", 9, under: "TWO"),
            .on(4, "pro", 1, under: "three"), days: 4...4)
        let ours = PublishedUnits.of(
            .on(4, "pro", 8), .on(4, "pro", 6, of: "app.two"), .on(4, "pro", 1, of: "app.three"),
            days: 4...4)
        let tieOut = try TieOut.of(
            [apple], ours, apps: ["ONE": "app.one", "UNO": "app.one", "TWO": "app.two"])
        let lines = tieOut.linesOfAllDays
        #expect(lines.map(\.key.bundle) == ["app.one", "app.two"])
        #expect(lines.map(\.units.apple) == [8, 9])
        #expect(lines.map(\.units.ours) == [8, 6])
        #expect(tieOut.countedRows == [3])
    }

    @Test("Of financial detail only products of the catalogue or of our figures count")
    func detail() throws {
        let apple = AppleReport.of(
            .on(4, "pro", 3), .on(4, "coins", 5), .on(4, "shop", 5), days: 4...4,
            kind: .financialDetail)
        let tieOut = try TieOut.of([apple], .of(.on(4, "pro", 3), days: 4...4), products: ["coins"])
        #expect(tieOut.linesOfAllDays.map(\.key.product) == ["coins", "pro"])
        #expect(tieOut.countedRows == [2])
    }

    @Test("Trials are aside of what is sold, upgrades of what is refunded; alone they are no line")
    func aside() throws {
        let apple = AppleReport.of(.on(4, "pro", 3), days: 4...4)
        let ours = PublishedUnits.of(
            .on(4, "pro", 5, refunded: 1, trials: 2, upgraded: 4), .on(4, "max", upgraded: 1),
            days: 4...4)
        let tieOut = try TieOut.of([apple], ours)
        #expect(
            tieOut.line("pro", .sold)?.units == TieOutLine.Units(apple: 3, ours: 5, aside: 2))
        #expect(tieOut.line("pro", .refunded)?.units == TieOutLine.Units(ours: 1, aside: 4))
        #expect(tieOut.line("max", .refunded) == nil)
        #expect(tieOut.line("pro", .refunded)?.share == nil)
    }

    @Test("Lines are in the order of days, apps, products and measures, all days first")
    func order() throws {
        let apple = AppleReport.of(
            .on(5, "b", 1, refunded: 1), .on(4, "é", 1), .on(4, "Z", 1), days: 4...5)
        let tieOut = try TieOut.of([apple], .of(.on(4, "Z", 1), days: 4...5))
        let keys = tieOut.lines.map { line in
            [
                line.key.day?.dayText ?? "", line.key.bundle?.text ?? "", line.key.product.text,
                line.key.measure.rawValue,
            ].joined(separator: " ")
        }
        #expect(
            keys == [
                "  b refunded", "  b sold", "  é sold", " app.one Z sold", "2026-11-04  é sold",
                "2026-11-04 app.one Z sold", "2026-11-05  b refunded", "2026-11-05  b sold",
            ])
    }

    @Test("Matched is the smaller of both, line by line, and the sentence says it")
    func sentence() throws {
        let apple = AppleReport.of(
            .on(4, "pro", 30, refunded: 3), .on(5, "max", 10, refunded: 1), days: 4...5)
        let ours = PublishedUnits.of(
            .on(4, "pro", 35, refunded: 2), .on(5, "max", 9, refunded: 2), days: 4...5)
        let tieOut = try TieOut.of([apple], ours)
        #expect(tieOut.sum(of: .sold) == TieOut.Sum(apple: 40, ours: 44, matched: 39))
        #expect(tieOut.sum(of: .refunded) == TieOut.Sum(apple: 4, ours: 4, matched: 3))
        #expect(
            tieOut.sentence
                == "Your receipts show 97.5 % of what Apple sold in 2 days, and 3 of 4 refunds.")
        #expect(tieOut.untiedCount == 3)
        #expect(tieOut.verdicts.map(\.count) == [1, 1, 2])
    }

    @Test("Without a sale the sentence has no share")
    func withoutSale() throws {
        let apple = AppleReport.of(.on(4, "pro", refunded: 3), days: 4...4)
        let tieOut = try TieOut.of([apple], .of(.on(4, "pro", 2, refunded: 3), days: 4...4))
        #expect(
            tieOut.sentence
                == "Apple sold nothing in 1 day; your receipts show 3 of 3 refunds.")
    }
}
