/// What a user's right-giving answers show together at one instant (SPEC §4): each purchase, each
/// paid period and each renewal once.
struct Purchases: Sendable {
    /// In the order of their ids.
    let all: [Purchase]
    /// The same purchases, cut where the product or the chain changes: most customers have one of
    /// each, so that what is looked up for the first of a run is looked up once.
    let runs: [ArraySlice<Purchase>]
    /// Paid periods that begin after the instant: Apple charges renewals up to a day early.
    let upcoming: [Purchase]
    let renewals: [TransactionID: Renewal]

    /// What was bought after `asOf` does not exist yet; what was cancelled after it is not
    /// cancelled yet.
    init(in receipts: [VerifiedReceipt], asOf: Instant, kinds: ProductKinds) {
        // Nearly everybody has one answer, which has each transaction and each renewal once.
        let newestFirst = receipts.count > 1 ? receipts.sorted(by: Self.isNewer) : receipts
        let merged = PurchaseMerge(of: newestFirst, kinds: kinds, asOf: asOf).purchases
        all = merged.compactMap { $0.seen(asOf: asOf) }
        upcoming = merged.filter { $0.purchasedAt > asOf && $0.expiresAt != nil }
        runs = Self.runs(of: all)
        renewals = Dictionary(
            newestFirst.lazy.flatMap(\.receipt.renewals).map { ($0.originalID, $0) },
            uniquingKeysWith: { newest, _ in newest })
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

    /// By creation date (an iOS 6 answer has none and comes last), then by the smaller receipt id.
    private static func isNewer(_ left: VerifiedReceipt, _ right: VerifiedReceipt) -> Bool {
        let leftDate = left.receipt.createdAt ?? .distantPast
        let rightDate = right.receipt.createdAt ?? .distantPast
        return leftDate == rightDate ? left.id < right.id : leftDate > rightDate
    }
}

extension TransactionID {
    /// Order by number where both ids are numbers, of any length; by bytes otherwise.
    func isNumericallyLess(than other: TransactionID) -> Bool {
        let left = text.utf8
        let right = other.text.utf8
        guard left.allSatisfy(\.isDigit), right.allSatisfy(\.isDigit) else { return self < other }
        let own = left.drop { $0 == 0x30 }
        let others = right.drop { $0 == 0x30 }
        return own.count == others.count
            ? own.lexicographicallyPrecedes(others) : own.count < others.count
    }
}

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }
}
