/// How the service's entitlements differ from what Apple would say.
enum Flaw: String, Sendable, CaseIterable {
    case none
    /// Granted although it is over.
    case stillGranted
    /// Not granted although it is due: the row is missing, or says no.
    case notGranted
    case expiryMissing, expiryTooLate, expiryTooEarly
    /// Another product of the same group.
    case wrongLevel
    /// Another product of the same group and level.
    case sameLevel
    case staleLabel, wrongOwnership
    /// Two rows of the group.
    case duplicate
    /// A grant that no purchase ever stood behind.
    case neverBought
    /// Taken for somebody who paid for the app before it was free.
    case believedPaid
    /// A purchase of another app, or of a tester, counted as if it were real.
    case fooled
}
