/// What a finding may come to in money. Apple's answers carry no price: it is never more than an
/// estimate.
package struct Estimate: Hashable, Sendable {
    /// Of one user's findings on one right only the first carries its amount. Nil: every one does.
    package var right: Right?
    /// Whole days from the cause to `as_of`. Nil for an event.
    package var exposureDays: Int?
    /// Nil without a price: never taken for zero.
    package var amount: Money?
}

extension FindingKind {
    /// Lines of the first table that money stands on (SPEC §5).
    static let priced: Set<FindingKind> = [
        .refundedStillGranted, .familyRevokedStillGranted, .expiredStillGranted,
        .billingRetryStillGranted, .wrongAppReceipt, .sandboxGrantsProduction,
        .grantWithoutTransaction, .refundReversedNotRestored, .activeNotGranted, .graceNotGranted,
        .ownedNotGranted,
    ]
}

extension Account {
    /// `findings` with the estimates that SPEC §5 gives them, worked out from their own columns.
    func estimated(_ findings: [Finding]) -> [Finding] {
        findings.map { finding in
            var finding = finding
            if FindingKind.priced.contains(finding.kind) {
                finding.estimate = estimate(of: finding)
            } else if finding.kind == .refundRecorded {
                let price = finding.productApple.flatMap(price)
                finding.estimate = Estimate(
                    amount: isFree(finding) ? price?.nothing : price?.whole)
            }
            return finding
        }
    }

    /// A leak is worth what the service gives away, a debt what the customer paid for. Nil where
    /// nobody knows since when.
    private func estimate(of finding: Finding) -> Estimate? {
        let product = finding.direction == .owed ? finding.productApple : finding.productStored
        guard let product, let cause = finding.eventAt, cause.isFinite else { return nil }
        let (span, overflows) = settings.asOf.milliseconds.subtractingReportingOverflow(
            cause.milliseconds)
        guard !overflows else { return nil }
        let days = Int(max(0, span) / Instant.millisecondsPerDay)
        let price = price(of: product)
        let amount = isFree(finding) ? price?.nothing : price?.charge(forDays: days)
        return Estimate(right: catalog.right(of: product), exposureDays: days, amount: amount)
    }

    private func price(of product: ProductID) -> Price? {
        catalog.products[product].flatMap(Price.init)
    }

    /// A trial, or what another member of the family paid for.
    private func isFree(_ finding: Finding) -> Bool {
        guard let transaction = finding.transaction else {
            let row = evidence.entitlements.first { $0.id == finding.entitlement }
            return row?.ownership == .familyShared
        }
        let purchase = purchases.all.first { $0.id == transaction }
        return purchase.map { $0.isTrial || $0.isFamilyShared } ?? false
    }
}

extension [ReportedFinding] {
    /// Puts the estimates of one user's findings into their columns: one amount a right, on the
    /// first row that is not accepted and has one, in the order of the reports. Where no row has
    /// one, the first has its days.
    package mutating func price() {
        let places = indices.filter { place in
            self[place].finding.estimate != nil && self[place].lifecycle != .accepted
        }.sorted { self[$0].comesBefore(self[$1]) }
        var priced: Set<Right> = []
        for mustHaveAmount in [true, false] {
            for place in places {
                guard let estimate = self[place].finding.estimate,
                    (estimate.amount != nil) == mustHaveAmount,
                    estimate.right.map({ priced.insert($0).inserted }) ?? true
                else { continue }
                self[place].exposureDays = estimate.exposureDays
                self[place].estimatedAmount = estimate.amount?.text
                self[place].currency = estimate.amount?.currency.code
            }
        }
    }
}
