/// Which receipts may wait for Apple: a limited number, and a limited sum of bytes.
///
/// Requests with others are answered 503. Receipts that Apple did not write have half of the
/// places and half of the bytes at most. Small receipts, which nearly all customers have, need no
/// bytes but their place: as many as there are places fit into the sum beside all others.
struct ApplePlaces: Sendable {
    struct Visitor: Sendable {
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

    /// False: there is no place, and none was taken.
    mutating func enter(_ visitor: Visitor) -> Bool {
        let large = visitor.largeBytes
        guard all < Self.most, large <= Self.mostLargeBytes - largeBytes else { return false }
        if !visitor.isApples {
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

    mutating func leave(_ visitor: Visitor) {
        all -= 1
        largeBytes -= visitor.largeBytes
        guard !visitor.isApples else { return }
        unsigned -= 1
        unsignedLargeBytes -= visitor.largeBytes
    }
}

extension ApplePlaces.Visitor {
    /// The bytes that count for the sum of large receipts.
    fileprivate var largeBytes: Int { bytes > ApplePlaces.largestSmall ? bytes : 0 }
}
