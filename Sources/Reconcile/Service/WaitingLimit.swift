/// Which receipts may wait for Apple: a limited number, and a limited sum of bytes.
///
/// Requests with others are answered 503. Receipts that Apple did not write have half of the
/// number and half of the bytes at most. Only large receipts count in the limit of their bytes:
/// `most` small ones, which nearly all customers have, fit into the sum in addition.
struct WaitingLimit: Sendable {
    struct Entry: Sendable {
        let bytes: Int
        /// Whether Apple wrote the receipt, as it is.
        let isApples: Bool
    }

    /// At ten requests to Apple a second, more could not be answered within the patience of a
    /// request; identical receipts wait for one answer.
    static let most = 1_000
    static let mostUnsigned = 500
    static let mostBytes = 64 << 20
    /// A receipt with sixty purchases has 20 KB.
    static let largestSmall = 32 << 10
    static let mostLargeBytes = mostBytes - most * largestSmall
    static let mostUnsignedLargeBytes = mostLargeBytes / 2

    private(set) var all = 0
    private(set) var unsigned = 0
    private(set) var largeBytes = 0
    private(set) var unsignedLargeBytes = 0

    /// False: a limit is reached, and nothing was counted.
    mutating func enter(_ entry: Entry) -> Bool {
        let large = entry.largeBytes
        guard all < Self.most, large <= Self.mostLargeBytes - largeBytes else { return false }
        if !entry.isApples {
            guard unsigned < Self.mostUnsigned,
                large <= Self.mostUnsignedLargeBytes - unsignedLargeBytes
            else { return false }
            unsigned += 1
            unsignedLargeBytes += large
        }
        all += 1
        largeBytes += large
        return true
    }

    mutating func leave(_ entry: Entry) {
        all -= 1
        largeBytes -= entry.largeBytes
        guard !entry.isApples else { return }
        unsigned -= 1
        unsignedLargeBytes -= entry.largeBytes
    }
}

extension WaitingLimit.Entry {
    /// The bytes that count for the sum of large receipts.
    fileprivate var largeBytes: Int { bytes > WaitingLimit.largestSmall ? bytes : 0 }
}
