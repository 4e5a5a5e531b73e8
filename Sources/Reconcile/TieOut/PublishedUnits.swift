/// Our figures of some days: of each day those of the newest published run that has it.
package struct PublishedUnits: Equatable, Sendable {
    package struct UsedRun: Hashable, Sendable {
        let run: RunID
        let asOf: Instant
        /// Whether all its receipts could be checked.
        let isComplete: Bool

        package init(run: RunID, asOf: Instant, isComplete: Bool) {
            self.run = run
            self.asOf = asOf
            self.isComplete = isComplete
        }

        var status: Summary.Status { isComplete ? .complete : .incomplete }
    }

    /// What the receipts show of a product and app on one day.
    package struct Figure: Equatable, Sendable {
        let day: Instant
        let bundle: BundleID
        let product: ProductID
        var sold = 0
        /// Of `sold`.
        var trials = 0
        var refunded = 0
        /// Upgrades, which are not in `refunded`.
        var upgraded = 0

        func count(_ measure: UnitMeasure) -> Int { measure == .sold ? sold : refunded }

        /// What Apple may count in another way.
        func aside(_ measure: UnitMeasure) -> Int { measure == .sold ? trials : upgraded }
    }

    /// The order in which they were started.
    var runs: [UsedRun] = []
    /// Indices in `runs`.
    var runOfDay: [Instant: Int] = [:]
    var figures: [Figure] = []
}
