/// What some receipts show together at one instant: each transaction and each renewal once.
struct Purchases: Sendable {
    /// In the order of their ids.
    let all: [Purchase]
    let renewals: [TransactionID: Renewal]
    /// The same purchases, cut where the product or the chain changes: most customers have one of
    /// each, so that what is looked up for the first of a run is looked up once.
    let runs: [ArraySlice<Purchase>]

    /// Where receipts disagree, a transaction or renewal is taken whole from the answer with the
    /// latest creation date (an iOS 6 answer has none and comes last), then from the smaller
    /// receipt id. What was bought after `asOf` does not exist yet; what was cancelled after it is
    /// not cancelled yet (SPEC §4).
    init(in receipts: [VerifiedReceipt], asOf: Instant) {
        if receipts.count == 1 {
            // Nothing to merge, since an answer has each transaction and each renewal once.
            all = receipts[0].purchases(seenAsOf: asOf).sorted { $0.id < $1.id }
            runs = Self.runs(of: all)
            renewals = Dictionary(
                receipts[0].receipt.renewals.map { ($0.originalID, $0) },
                uniquingKeysWith: { first, _ in first })
            return
        }
        var purchases: [TransactionID: Purchase] = [:]
        var renewals: [TransactionID: Renewal] = [:]
        for source in receipts.sorted(by: Self.isBetterWitness) {
            // What is not seen yet speaks for itself too: another answer's word is not taken.
            for purchase in source.purchases where purchases[purchase.id] == nil {
                purchases[purchase.id] = purchase
            }
            for renewal in source.receipt.renewals where renewals[renewal.originalID] == nil {
                renewals[renewal.originalID] = renewal
            }
        }
        all = purchases.values.compactMap { $0.seen(asOf: asOf) }.sorted { $0.id < $1.id }
        runs = Self.runs(of: all)
        self.renewals = renewals
    }

    private static func runs(of all: [Purchase]) -> [ArraySlice<Purchase>] {
        var runs: [ArraySlice<Purchase>] = []
        var start = all.startIndex
        for index in all.indices {
            let next = index + 1
            guard next == all.endIndex || !all[index].isOfRun(of: all[next]) else { continue }
            runs.append(all[start..<next])
            start = next
        }
        return runs
    }

    private static func isBetterWitness(_ left: VerifiedReceipt, _ right: VerifiedReceipt) -> Bool {
        let (leftDate, rightDate) = (left.receipt.createdAt, right.receipt.createdAt)
        guard leftDate == rightDate else {
            return leftDate ?? .distantPast > rightDate ?? .distantPast
        }
        return left.id < right.id
    }
}

extension TransactionID {
    /// Order by number where both ids are numbers, of any length; by bytes otherwise.
    func isNumericallyLess(than other: TransactionID) -> Bool {
        let (left, right) = (text.utf8, other.text.utf8)
        guard left.allSatisfy(\.isDigit), right.allSatisfy(\.isDigit) else { return self < other }
        let (own, others) = (left.drop { $0 == 0x30 }, right.drop { $0 == 0x30 })
        return own.count == others.count
            ? own.lexicographicallyPrecedes(others) : own.count < others.count
    }
}

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }
}
