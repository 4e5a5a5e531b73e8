/// A user of whom not everything could be judged: what others' receipts show beside this one's may
/// be true though nothing says so.
package struct UndecidedUser: Hashable, Sendable {
    package var user: UserID
    /// Something that could speak for the user could not be read (SPEC §5).
    package var lacksEvidence: Bool
    /// The user has a row of the App Store or for a paid app that is granted or in flux, or one
    /// that cannot be read.
    package var mayBeGranted: Bool

    package init(user: UserID, lacksEvidence: Bool, mayBeGranted: Bool) {
        self.user = user
        self.lacksEvidence = lacksEvidence
        self.mayBeGranted = mayBeGranted
    }
}

extension UserCase {
    /// Nil when everything that there is of the user was judged.
    var undecided: UndecidedUser? {
        let rows = evidence.entitlements.filter { [.appStore, .legacyPaid].contains($0.source) }
        let isUnclear = evidence.invalidEntitlements > 0 || rows.contains(where: isInFlux)
        guard isEvidenceMissing || isUnclear else { return nil }
        return UndecidedUser(
            user: evidence.user, lacksEvidence: isEvidenceMissing,
            mayBeGranted: isUnclear || rows.contains(where: isGranted))
    }
}
