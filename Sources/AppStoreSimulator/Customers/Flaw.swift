/// How the service's entitlements differ from Apple's answers.
enum Flaw: String, Sendable, CaseIterable {
    case none
    /// Granted although it has ended.
    case stillGranted
    /// Not granted although it is due: the row is missing or inactive.
    case notGranted
    case expiryMissing, expiryTooLate, expiryTooEarly
    /// A product of another level of the same group.
    case wrongLevel
    /// Another product of the same group and level.
    case sameLevel
    case staleLabel, wrongOwnership
    /// Two rows of one group.
    case duplicate
    /// Granted without any purchase.
    case neverBought
    /// Granted to a customer who did not buy the app while it was paid.
    case believedPaid
    /// Granted for a purchase of another app or of a tester.
    case fooled
}
