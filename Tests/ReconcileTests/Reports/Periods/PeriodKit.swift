@testable import Reconcile

extension FinancialPeriod {
    static func month(_ text: String, of app: BundleID? = nil) -> FinancialPeriod? {
        CalendarMonth(text).map { FinancialPeriod($0.days, of: app) }
    }
}

extension PeriodRuns.Night {
    /// At noon in UTC.
    static func night(_ day: String, isPruned: Bool = false) -> PeriodRuns.Night {
        let asOf = (Instant(day: day) ?? .distantPast) + .seconds(12 * 3_600)
        return PeriodRuns.Night(
            run: RunID(startedAt: asOf, suffix: 0xABC), asOf: asOf, isPruned: isPruned)
    }
}

extension PeriodEvent {
    /// A refund of one dollar less a cent.
    static func refund(
        _ id: Character, _ kind: FindingKind = .refundRecorded, of user: UserID? = "ann",
        on day: String = "2026-10-05", amount: String? = "0.99", reversedOn: String? = nil,
        isCounted: Bool = true
    ) -> PeriodEvent {
        var row = ReportedFinding.test(id, kind, user: user) { finding in
            finding.eventAt = PeriodRuns.Night.night(day).asOf
            finding.bundle = "app"
            finding.productApple = "gold"
        }
        row.estimatedAmount = amount
        row.currency = amount.map { _ in "USD" }
        row.amountBasis = amount.map { _ in .listPrice }
        row.noAmount = amount == nil ? .noPrice : nil
        let told = PeriodRuns.Night.night("2026-10-20")
        return PeriodEvent(
            row: row, run: told.run, asOf: told.asOf,
            reversedAt: reversedOn.map { PeriodRuns.Night.night($0).asOf }, isCounted: isCounted)
    }

    static func expiry(_ id: Character, reason: String? = "billing") -> PeriodEvent {
        var event = refund(id, .expired, amount: nil)
        event.row.finding.reason = reason
        event.row.noAmount = nil
        return event
    }
}

extension Movement {
    /// Of dollars, by flow: how many findings, and how many cents.
    static func leak(
        _ flows: [Flow: (count: Int, cents: Int128)], product: ProductID = "gold",
        currency: String? = "USD", isAccepted: Bool = false
    ) -> Movement {
        let currency = currency.flatMap(Currency.init)
        var movement = Movement(
            Line(
                direction: .leak, kind: .expiredStillGranted, app: "app", product: product,
                currency: currency, isAccepted: isAccepted))
        for (flow, value) in flows {
            let amount = currency.map { Money(minorUnits: value.cents, in: $0) }
            movement.set(flow, count: value.count, amount: amount)
        }
        return movement
    }
}
