/// A user who could not be judged completely, so a finding that compares users may be missing.
struct UndecidedUser: Hashable, Sendable {
    var user: UserID
    var lacksEvidence: Bool
    /// An unreadable row, or an `app_store` or `legacy_paid` row that is granted or in flux.
    var mayBeGranted: Bool
}

extension UserCase {
    var undecided: UndecidedUser? {
        let rows = evidence.entitlements.filter { [.appStore, .legacyPaid].contains($0.source) }
        let isUnclear = hasUnreadableRow || rows.contains(where: isInFlux)
        guard isEvidenceMissing || isUnclear else { return nil }
        return UndecidedUser(
            user: evidence.user, lacksEvidence: isEvidenceMissing,
            mayBeGranted: isUnclear || rows.contains(where: isGranted))
    }
}
