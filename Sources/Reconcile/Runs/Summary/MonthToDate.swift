/// The refunds of a month in California that a run and those before it have told.
struct MonthToDate: Hashable, Sendable {
    /// `2026-11`.
    let month: String
    /// A refund that several users hold counts once.
    var refunds = 0
    var money: [Money] = []
}

extension MonthToDate {
    var rows: [SummaryOutline.Row] {
        [
            .init("month", .text(month)), .init("refunds", .count(refunds)),
            .init("money", .rows(money.map { .init($0.currency.code, .amount($0)) })),
        ]
    }

    /// `November 2026`; the month as it is when it is none.
    var title: String { CalendarMonth(month)?.name ?? month }
}
