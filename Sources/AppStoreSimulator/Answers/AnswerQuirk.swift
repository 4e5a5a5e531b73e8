/// A way in which Apple's real answers differ from their documentation, or from one another.
enum AnswerQuirk: String, Sendable, CaseIterable {
    /// The arrays: newest first is usual, the order is promised to nobody.
    case oldestFirst, shuffledLists
    case shuffledKeys
    /// `quantity` and `…_ms` as numbers.
    case numbersForStrings
    /// `is_trial_period` and its like as booleans.
    case booleansForStrings
    /// `status` as a string.
    case statusAsString
    case byteOrderMark
    case noEnvironment
    case nullDownloadID
    case noOriginalVersion
    case noOwnership, noGroup
    case unknownKeys
    /// `in_app` stops at what the receipt held when it was made.
    case staleInApp
    /// Cancellations stand in `latest_receipt_info` alone.
    case cancellationOnlyInLatest
    /// `pending_renewal_info` names no chain.
    case renewalWithoutChain
    case spacedOut, escapedSlashes

    /// Of a hundred answers, in how many.
    private var percent: Int {
        switch self {
        case .oldestFirst: 20
        case .shuffledLists, .staleInApp, .noGroup: 15
        case .shuffledKeys: 50
        case .numbersForStrings, .booleansForStrings, .noEnvironment: 2
        case .statusAsString, .byteOrderMark: 1
        case .nullDownloadID, .unknownKeys, .escapedSlashes: 10
        case .noOriginalVersion, .noOwnership, .cancellationOnlyInLatest: 30
        case .renewalWithoutChain: 3
        case .spacedOut: 8
        }
    }

    /// Those of one receipt's answers, the same every time.
    static func drawn(for mark: ReceiptMark, of account: AppAccount) -> Set<AnswerQuirk> {
        let part = UInt64(mark.customer) << 16 | UInt64(mark.account) << 8 | UInt64(mark.number)
        var random = SplitMix64(seed: mark.seed ^ 0x5eed, part: part)
        var quirks = Set(allCases.filter { random.isTrue(percent: $0.percent) })
        // What decides a right is not left out: that is the subject of stories, not of chance.
        if account.app.lastPaidVersion != nil { quirks.remove(.noOriginalVersion) }
        if account.subscriptions.contains(where: { $0.renewal.failure != nil }) {
            quirks.remove(.renewalWithoutChain)
        }
        if account.style == .iOS6 { quirks.formIntersection([.spacedOut, .escapedSlashes]) }
        return quirks
    }
}
