/// What the sweep of refund notices read of one app.
struct SweptApp: Hashable, Sendable {
    struct Count: Hashable, Sendable {
        var notices = 0
        /// Notices that no attempt delivered.
        var failedDeliveries = 0
    }

    let bundle: BundleID
    /// The start of the window.
    let from: Instant
    let isComplete: Bool
    var counts: [RefundNotice.Kind: Count] = [:]
    /// Refunds of transactions that no answer of the run shows.
    let refundsWithoutReceipt: Int
}

extension [SweptApp] {
    var isComplete: Bool { allSatisfy(\.isComplete) }

    /// Of all apps that were swept whole.
    func count(of kind: RefundNotice.Kind) -> SweptApp.Count {
        filter(\.isComplete).reduce(into: SweptApp.Count()) { sum, app in
            let count = app.counts[kind] ?? SweptApp.Count()
            sum.notices += count.notices
            sum.failedDeliveries += count.failedDeliveries
        }
    }

    /// Nil unless an app was swept whole.
    var sentence: String? {
        guard contains(where: \.isComplete) else { return nil }
        let refunds = count(of: .refund)
        return "Your server missed \(refunds.failedDeliveries) of \(refunds.notices) refund notices"
    }

    /// - Parameter end: of the window.
    func rows(to end: Instant) -> [SummaryOutline.Row] {
        [
            .init("to", .instant(end)), .init("complete", .truth(isComplete)),
            .init("sentence", .text(sentence)),
            .init("apps", .rows(map { .init($0.bundle.text, .rows($0.rows)) })),
        ]
    }
}

extension SweptApp {
    /// Of a sweep that failed nothing is told but that.
    fileprivate var rows: [SummaryOutline.Row] {
        let window: [SummaryOutline.Row] = [
            .init("from", .instant(from)), .init("complete", .truth(isComplete)),
        ]
        guard isComplete else { return window }
        return window
            + RefundNotice.Kind.allCases.map { kind in
                let count = counts[kind] ?? Count()
                return .init(
                    kind.rawValue,
                    .rows([
                        .init("notices", .count(count.notices)),
                        .init("failed_deliveries", .count(count.failedDeliveries)),
                    ]))
            } + [.init("refunds_without_receipt", .count(refundsWithoutReceipt))]
    }
}
