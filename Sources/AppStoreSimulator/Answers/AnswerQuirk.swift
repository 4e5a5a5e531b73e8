/// A way in which Apple's real answers differ from their documentation or from each other.
enum AnswerQuirk: String, Sendable, CaseIterable {
    /// The arrays are usually newest first, but Apple does not guarantee it.
    case oldestFirst, shuffledLists
    case shuffledKeys
    /// `quantity` and `…_ms` are numbers.
    case numbersForStrings
    /// `is_trial_period` and similar keys are booleans.
    case booleansForStrings
    /// Transaction ids are numbers of up to 18 digits.
    case numbersForIDs
    /// `…_ms` has a fraction.
    case fractionalMilliseconds
    /// `status` is a string.
    case statusAsString
    case byteOrderMark
    case noEnvironment
    case nullDownloadID
    case noOriginalVersion
    case noOwnership, noGroup
    case unknownKeys
    /// `in_app` ends with the purchases at the time when the receipt was created.
    case staleInApp
    /// Only `latest_receipt_info` shows cancellations.
    case cancellationOnlyInLatest
    case renewalWithoutChain
    case spacedOut, escapedSlashes
    case accountToken
    /// Adds `itunes_env` at the end, as in answers of 2015.
    case itunesEnvironment
    /// iOS 6: `expires_date`, `…_ms` and `…_pst` as in a modern answer.
    case expiryInThreeForms
    /// iOS 6: `unique_vendor_identifier` instead of the device's identifier.
    case vendorIdentifier

    private static let ofOldAnswers: Set<AnswerQuirk> = [.expiryInThreeForms, .vendorIdentifier]
    private static let ofBoth: Set<AnswerQuirk> = [.spacedOut, .escapedSlashes]

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

    static func drawn(for mark: ReceiptMark, of account: AppAccount) -> Set<AnswerQuirk> {
        let part = UInt64(mark.customer) << 16 | UInt64(mark.account) << 8 | UInt64(mark.number)
        var random = SplitMix64(seed: mark.seed ^ 0x5eed, part: part)
        var quirks = Set(allCases.filter { random.isTrue(percent: $0.percent) })
        // Fields that decide a right are only left out by stories, never at random.
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
