/// The sums of a tie-out, and the sentence that says them.
extension TieOut {
    /// Of one measure, over the lines of all days.
    struct Sum: Equatable, Sendable {
        var apple = 0
        var ours = 0
        /// The smaller of both, line by line: what is more on one line does not cover for another.
        var matched = 0

        /// Of Apple's, what our figures match; nil without Apple's.
        var share: UnitShare? { UnitShare(of: matched, in: apple) }

        init(of measure: UnitMeasure, in lines: [TieOutLine]) {
            for line in lines where line.key.day == nil && line.key.measure == measure {
                apple += line.units.apple
                ours += line.units.ours
                matched += min(line.units.apple, line.units.ours)
            }
        }

        init(apple: Int, ours: Int, matched: Int) {
            self.apple = apple
            self.ours = ours
            self.matched = matched
        }
    }

    func sum(of measure: UnitMeasure) -> Sum { Sum(of: measure, in: lines) }

    /// The lines of all days by verdict: none of them is `shifted`.
    var verdicts: [(verdict: TieOutLine.Verdict, count: Int)] {
        [.tied, .appleHasMore, .oursHasMore].map { verdict in
            (verdict, linesOfAllDays.count { $0.verdict == verdict })
        }
    }

    /// The runs whose figures are compared, each with how many days.
    var usedRuns: [(run: PublishedUnits.UsedRun, days: Int)] {
        published.runs.indices.map { index in
            (published.runs[index], days.count { published.runOfDay[$0] == index })
        }.filter { $0.days > 0 }
    }

    package var sentence: String {
        let (sold, refunded) = (sum(of: .sold), sum(of: .refunded))
        let span = days.count == 1 ? "1 day" : "\(days.count) days"
        let refunds = "\(refunded.matched) of \(refunded.apple) refunds"
        guard let share = sold.share else {
            return "Apple sold nothing in \(span); your receipts show \(refunds)."
        }
        return "Your receipts show \(share.percent) % of what Apple sold in \(span), and"
            + " \(refunds)."
    }
}

extension TieOut {
    /// Of one measure, all products together.
    func unitsByDay(_ measure: UnitMeasure) -> [Instant: TieOutLine.Units] {
        lines.filter { $0.key.measure == measure }.reduce(into: [:]) { sums, line in
            guard let day = line.key.day else { return }
            sums[day, default: TieOutLine.Units()] += line.units
        }
    }
}
