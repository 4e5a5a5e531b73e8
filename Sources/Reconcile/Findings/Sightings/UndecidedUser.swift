/// A user of whom not everything could be judged: what others' receipts show beside this one's may
/// be true though nothing says so.
package struct UndecidedUser: Hashable, Sendable {
    package var user: UserID
    /// Something that could speak for the user could not be read (SPEC §5).
    package var lacksEvidence: Bool
    /// The user has a row of the App Store that is granted or in flux, or one that cannot be read.
    package var mayBeGranted: Bool

    package init(user: UserID, lacksEvidence: Bool, mayBeGranted: Bool) {
        (self.user, self.lacksEvidence, self.mayBeGranted) = (user, lacksEvidence, mayBeGranted)
    }
}
