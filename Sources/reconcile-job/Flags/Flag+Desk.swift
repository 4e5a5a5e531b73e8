internal import Reconcile

extension Flag {
    /// What only the commands of the dispute desk take.
    static let desk: [Flag] = [
        .bare(
            "all",
            "also events, and columns that move by themselves from night to night (days, amounts)",
            of: [.diff], to: \.showsAll)
    ]
}
