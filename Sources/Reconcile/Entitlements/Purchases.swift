/// A user's purchases at one instant, from all right-giving answers. No purchase, paid period or
/// renewal appears twice.
struct Purchases: Sendable {
    /// Sorted by id.
    let all: [Purchase]
    /// `all`, split where the product or the chain changes, for one lookup per run of equal ones.
    let runs: [ArraySlice<Purchase>]
    /// Paid periods that begin after `asOf`: Apple charges renewals up to a day early.
    let upcoming: [Purchase]
    let renewals: [TransactionID: Renewal]

    init(in receipts: [VerifiedReceipt], asOf: Instant, kinds: ProductKinds) {
        // Most users have one answer, in which transactions and renewals are already unique.
        let newestFirst = Self.newestFirst(receipts)
        let merged = PurchaseMerge(of: newestFirst, kinds: kinds, asOf: asOf).purchases
        let isAllPast = merged.allSatisfy { $0.isPast(asOf: asOf) }
        all = isAllPast ? merged : merged.compactMap { $0.seen(asOf: asOf) }
        upcoming =
            isAllPast ? [] : merged.filter { $0.purchasedAt > asOf && $0.expiresAt != nil }
        runs = Self.runs(of: all)
        renewals = Dictionary(
            newestFirst.lazy.flatMap(\.receipt.renewals).map { ($0.originalID, $0) },
            uniquingKeysWith: { newest, _ in newest })
    }

    static func newestFirst(_ receipts: [VerifiedReceipt]) -> [VerifiedReceipt] {
        receipts.count > 1 ? receipts.sorted(by: isNewer) : receipts
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

    /// By creation date, latest first (iOS 6 answers have none and come last), then by receipt id.
    private static func isNewer(_ left: VerifiedReceipt, _ right: VerifiedReceipt) -> Bool {
        let leftDate = left.receipt.createdAt ?? .distantPast
        let rightDate = right.receipt.createdAt ?? .distantPast
        return leftDate == rightDate ? left.id < right.id : leftDate > rightDate
    }
}
