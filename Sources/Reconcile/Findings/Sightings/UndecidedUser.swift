/// A user who could not be judged completely. A finding that compares users may be missing because
/// of this user.
struct UndecidedUser: Hashable, Sendable {
    var user: UserID
    /// Missing evidence: a receipt or answer of the user could not be read.
    var lacksEvidence: Bool
    /// The user has an unreadable row, or an `app_store` or `legacy_paid` row that is granted or in
    /// flux.
    var mayBeGranted: Bool
}

extension UserCase {
    var undecided: UndecidedUser? {
        let rows = evidence.entitlements.filter { [.appStore, .legacyPaid].contains($0.source) }
        let isUnclear = evidence.invalidEntitlements > 0 || rows.contains(where: isInFlux)
        guard isEvidenceMissing || isUnclear else { return nil }
        return UndecidedUser(
            user: evidence.user, lacksEvidence: isEvidenceMissing,
            mayBeGranted: isUnclear || rows.contains(where: isGranted))
    }
}
