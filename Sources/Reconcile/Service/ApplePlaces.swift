/// Who may wait for Apple: a limited number of requests, and of bytes of their receipts.
///
/// Requests beyond it are told to come back. Those with receipts that Apple did not sign have half
/// of the places at most, and large receipts, which few customers have, share a sum of their own.
struct ApplePlaces: Sendable {
    struct Visitor: Sendable {
        let bytes: Int
        let isGenuine: Bool
    }

    /// At ten requests to Apple a second, more could not be answered within the patience of a
    /// request; identical receipts wait for one answer.
    static let most = 1_000
    static let mostUnsigned = 500
    /// A receipt is copied twice while it waits: as base64 and as its bytes.
    static let mostLargeBytes = 64 << 20
    static let largestSmall = 256 << 10

    private(set) var all = 0
    private(set) var unsigned = 0
    private(set) var largeBytes = 0

    /// False: there is no place, and none was taken.
    mutating func enter(_ visitor: Visitor) -> Bool {
        guard all < Self.most, visitor.isGenuine || unsigned < Self.mostUnsigned,
            visitor.large <= Self.mostLargeBytes - largeBytes
        else { return false }
        all += 1
        if !visitor.isGenuine { unsigned += 1 }
        largeBytes += visitor.large
        return true
    }

    mutating func leave(_ visitor: Visitor) {
        all -= 1
        if !visitor.isGenuine { unsigned -= 1 }
        largeBytes -= visitor.large
    }
}

extension ApplePlaces.Visitor {
    /// The bytes that count for the sum of large receipts.
    fileprivate var large: Int { bytes > ApplePlaces.largestSmall ? bytes : 0 }
}
