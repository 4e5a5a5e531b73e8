/// Collects the most costly findings of each bucket and currency, at most three of a kind.
struct CostliestFindings {
    struct Entry {
        let row: ReportedFinding
        let file: FindingFile
        /// Its index in that file.
        let index: Int
        let amount: Money
    }

    static let most = 10
    private static let mostOfAKind = 3

    private struct Group: Hashable {
        let bucket: MoneyTally.Bucket
        let currency: Currency
    }

    private var entries: [Group: [FindingKind: [Entry]]] = [:]

    mutating func note(_ row: ReportedFinding, at index: Int) {
        guard let bucket = row.finding.moneyBucket, let text = row.estimatedAmount,
            let currency = row.currency.flatMap(Currency.init),
            let amount = Money(text, in: currency)
        else { return }
        let kind = row.finding.kind
        let group = Group(bucket: bucket, currency: currency)
        var ofKind = entries[group]?[kind] ?? []
        guard ofKind.count < Self.mostOfAKind || ofKind.last.map({ $0.amount < amount }) == true
        else { return }
        let entry = Entry(row: row, file: kind.file, index: index, amount: amount)
        let index = ofKind.firstIndex { $0.amount < amount } ?? ofKind.endIndex
        ofKind.insert(entry, at: index)
        entries[group, default: [:]][kind] = Array(ofKind.prefix(Self.mostOfAKind))
    }

    /// A list per currency, the most costly first; of equal amounts, the most severe.
    func most(in bucket: MoneyTally.Bucket) -> [[Entry]] {
        let groups = entries.keys.filter { $0.bucket == bucket }
            .sorted { $0.currency < $1.currency }
        return groups.map { group in
            let all = (entries[group] ?? [:]).values.joined()
            return Array(
                all.sorted { first, second in
                    first.amount.minorUnits == second.amount.minorUnits
                        ? first.row.comesBefore(second.row) : second.amount < first.amount
                }.prefix(Self.most))
        }
    }
}

extension Money {
    /// Within one currency.
    fileprivate static func < (left: Money, right: Money) -> Bool {
        left.minorUnits < right.minorUnits
    }
}
