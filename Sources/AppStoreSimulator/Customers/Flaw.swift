/// How the service's entitlements differ from Apple's answers.
enum Flaw: String, Sendable, CaseIterable {
    case none
    /// Granted although it has ended.
    case stillGranted
    case notGranted
    case expiryMissing, expiryTooLate, expiryTooEarly
    /// A product of another level of the same group.
    case wrongLevel
    /// Another product of the same group and level.
    case sameLevel
    case staleLabel, wrongOwnership
    case duplicate
    /// Granted without any purchase.
    case neverBought
    case believedPaid
    /// Granted for a purchase of another app or of a tester.
    case fooled
}
