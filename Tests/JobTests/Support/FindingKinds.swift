@testable import Reconcile

/// The kinds that tests name; the library keeps them internal.
extension FindingKind {
    static let expired = named("expired")
    static let expiredStillGranted = named("expired_still_granted")

    private static func named(_ name: String) -> FindingKind {
        guard let kind = FindingKind(rawValue: name) else {
            preconditionFailure("No rule has the kind \(name)")
        }
        return kind
    }
}
