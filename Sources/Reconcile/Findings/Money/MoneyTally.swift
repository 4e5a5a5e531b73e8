package struct MoneyTally: Hashable, Sendable {
    enum Bucket: String, Hashable, Sendable, CaseIterable { case leak, owed, refunded }

    /// A sum that cannot be calculated: a cell is not an amount, or the sum overflows.
    package struct Unsummable: Error, Equatable {
        let what: String
    }

    private var sums: [Bucket: [Currency: Money]] = [:]

    package init() {}

    func amounts(_ bucket: Bucket) -> [Money] {
        (sums[bucket] ?? [:]).values.sorted { $0.currency < $1.currency }
    }

    /// Adds sums of zero for currencies that have none.
    mutating func include(_ currencies: some Sequence<Currency>) {
        let known = Set(sums.values.flatMap(\.keys)).union(currencies)
        for bucket in Bucket.allCases {
            for currency in known where sums[bucket]?[currency] == nil {
                sums[bucket, default: [:]][currency] = Money(minorUnits: 0, in: currency)
            }
        }
    }

    /// Whether both have the same sums, ignoring sums of zero.
    package func isSame(as other: MoneyTally) -> Bool {
        Bucket.allCases.allSatisfy { bucket in
            amounts(bucket).filter { $0.minorUnits != 0 }
                == other.amounts(bucket).filter { $0.minorUnits != 0 }
        }
    }

    func subtracting(_ other: MoneyTally) -> MoneyTally {
        var difference = self
        for bucket in Bucket.allCases {
            for sum in other.amounts(bucket) {
                let own = sums[bucket]?[sum.currency]?.minorUnits ?? 0
                difference.sums[bucket, default: [:]][sum.currency] = Money(
                    minorUnits: own - sum.minorUnits, in: sum.currency)
            }
        }
        return difference
    }

    mutating func add(_ money: Money, to bucket: Bucket) throws(Unsummable) {
        let sum = sums[bucket]?[money.currency]?.minorUnits ?? 0
        let (total, overflows) = sum.addingReportingOverflow(money.minorUnits)
        guard !overflows else {
            throw Unsummable(what: "the \(bucket.rawValue) in \(money.currency.code) overflows")
        }
        sums[bucket, default: [:]][money.currency] = Money(minorUnits: total, in: money.currency)
    }

    mutating func add(_ other: MoneyTally) throws(Unsummable) {
        for bucket in Bucket.allCases {
            for money in other.amounts(bucket) { try add(money, to: bucket) }
        }
    }

    /// Adds the amount of the row. Accepted rows have none.
    package mutating func add(_ row: ReportedFinding) throws(Unsummable) {
        try add(
            row.estimatedAmount, row.currency, to: row.finding.moneyBucket, of: "finding \(row.id)")
    }

    mutating func add(_ total: FindingTotal) throws(Unsummable) {
        try add(
            total.amount, total.group.currency, to: total.moneyBucket,
            of: "total of \(total.group.kind.rawValue)")
    }

    private mutating func add(
        _ amount: String?, _ code: String?, to bucket: Bucket?, of what: String
    ) throws(Unsummable) {
        guard let amount else { return }
        guard let bucket, let currency = code.flatMap(Currency.init),
            let money = Money(amount, in: currency)
        else { throw Unsummable(what: "\(amount) of the \(what) is in no bucket") }
        try add(money, to: bucket)
    }
}

extension MoneyTally: CustomStringConvertible {
    package var description: String {
        let parts = Bucket.allCases.flatMap { bucket in
            amounts(bucket).map { "\(bucket.rawValue) \($0.text) \($0.currency.code)" }
        }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }
}

extension MoneyTally.Unsummable: CustomStringConvertible {
    package var description: String {
        "The money does not add up: \(what). This is a defect of the job: report it with this line."
    }
}

extension Finding {
    /// Nil for a kind without money. Refunds are facts, not losses since the last run.
    var moneyBucket: MoneyTally.Bucket? { kind.moneyBucket(of: direction) }
}

extension FindingKind {
    func moneyBucket(of direction: Direction) -> MoneyTally.Bucket? {
        switch money {
        case .none: nil
        case .refund: .refunded
        case .exposure: direction == .owed ? .owed : .leak
        }
    }
}
