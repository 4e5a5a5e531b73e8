/// The money of a run by kind, product, bundle and what the amounts were calculated from, and the
/// findings without an amount by reason.
struct MoneyBreakdown: Hashable, Sendable {
    enum Dimension: String, Hashable, Sendable, CaseIterable {
        case kind, product, bundle
        case basis = "amount_basis"
    }

    /// By dimension and name, for example a product id; the name is empty when a finding has none.
    private(set) var sums: [Dimension: [String: MoneyTally]] = [:]
    private(set) var counts: [MoneyTally.Bucket: [Currency: Int]] = [:]
    private(set) var noAmounts: [MoneyTally.Bucket: [Estimate.NoAmount: Int]] = [:]

    mutating func add(
        _ money: Money, to bucket: MoneyTally.Bucket, of name: String, by dimension: Dimension
    ) throws(MoneyTally.Unsummable) {
        var tally = sums[dimension]?[name] ?? MoneyTally()
        try tally.add(money, to: bucket)
        sums[dimension, default: [:]][name] = tally
    }

    mutating func count(
        _ findings: Int, in currency: Currency, of bucket: MoneyTally.Bucket
    ) {
        counts[bucket, default: [:]][currency, default: 0] += findings
    }

    mutating func count(
        _ findings: Int, without why: Estimate.NoAmount, in bucket: MoneyTally.Bucket
    ) {
        noAmounts[bucket, default: [:]][why, default: 0] += findings
    }
}

extension MoneyBreakdown {
    /// The part of a sum that was calculated so; nil without one.
    func amount(
        by basis: AmountBasis, in bucket: MoneyTally.Bucket, _ currency: Currency
    ) -> Money? {
        sums[.basis]?[basis.rawValue]?.amounts(bucket).first { $0.currency == currency }
    }

    /// The leaks of one currency by kind, product or app, the largest first; equal ones by name.
    func leaks(by dimension: Dimension, in currency: Currency) -> [(name: String, amount: Money)] {
        let leaks = (sums[dimension] ?? [:]).compactMap { name, money -> (String, Money)? in
            let leak = money.amounts(.leak).first { $0.currency == currency }
            return leak.flatMap { $0.minorUnits > 0 ? (name, $0) : nil }
        }
        return leaks.sorted {
            $0.1.minorUnits == $1.1.minorUnits
                ? $0.0.bytesPrecede($1.0) : $1.1.minorUnits < $0.1.minorUnits
        }
    }
}
