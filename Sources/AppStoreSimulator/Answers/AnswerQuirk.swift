/// A way in which Apple's real answers differ from their documentation, or from one another.
enum AnswerQuirk: String, Sendable, CaseIterable {
    /// The arrays: newest first is usual, the order is promised to nobody.
    case oldestFirst, shuffledLists
    case shuffledKeys
    /// `quantity` and `…_ms` as numbers.
    case numbersForStrings
    /// `is_trial_period` and its like as booleans.
    case booleansForStrings
    /// Transaction ids as numbers, of up to 18 digits.
    case numbersForIDs
    /// `…_ms` with a fraction.
    case fractionalMilliseconds
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
    /// `app_account_token` beside the ids.
    case accountToken
    /// `itunes_env` at the end, as in answers of 2015.
    case itunesEnvironment
    /// iOS 6: `expires_date`, `…_ms` and `…_pst` as in a modern answer.
    case expiryInThreeForms
    /// iOS 6: `unique_vendor_identifier` in place of the device's own.
    case vendorIdentifier

    /// Of iOS 6 answers alone, and those that they share with the modern.
    private static let ofOldAnswers: Set<AnswerQuirk> = [.expiryInThreeForms, .vendorIdentifier]
    private static let ofBoth: Set<AnswerQuirk> = [.spacedOut, .escapedSlashes]

    /// Of a hundred answers, in how many.
    private var percent: Int {
        switch self {
        case .oldestFirst: 20
        case .shuffledLists, .staleInApp, .noGroup: 15
        case .shuffledKeys: 50
        case .numbersForStrings, .booleansForStrings, .noEnvironment: 2
        case .numbersForIDs, .fractionalMilliseconds, .itunesEnvironment: 2
        case .statusAsString, .byteOrderMark: 1
        case .nullDownloadID, .unknownKeys, .escapedSlashes: 10
        case .noOriginalVersion, .noOwnership, .cancellationOnlyInLatest: 30
        case .renewalWithoutChain: 3
        case .spacedOut: 8
        case .accountToken: 5
        case .expiryInThreeForms: 30
        case .vendorIdentifier: 60
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
        switch account.style {
        case .modern: quirks.subtract(ofOldAnswers)
        case .iOS6: quirks.formIntersection(ofOldAnswers.union(ofBoth))
        }
        return quirks
    }
}
