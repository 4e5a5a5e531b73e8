/// All stored rows of one user, read in one snapshot.
package struct StoredUser: Sendable {
    /// Nil for the rows without a user.
    package var user: UserID?
    /// Ordered by id, in the collation of the views.
    package var receipts: [StoredReceipt] = []
    /// Rows with a null in a required column.
    package var invalidReceipts: [InvalidStoredReceipt] = []
    package var entitlements: [StoredEntitlement] = []
    /// Rows with a null in a required column.
    package var invalidEntitlements: [InvalidStoredEntitlement] = []
    package var downloadKeys: [StoredDownloadKey] = []
    /// Whether the receipts exceed what can be read at once. Then they have no data.
    package var isTooLarge = false
    package var history = UserHistory()
    /// The result of the first look, for a user who was put off.
    package var firstLook: PostponedUser?

    package init(user: UserID?) { self.user = user }
}

/// Some users of a batch with their history, read in one snapshot.
package struct BatchPortion: Sendable {
    package let batch: Batch
    package var users: [StoredUser]
    package var isLast: Bool
    /// The last user of the portion's range; may be nil in the last portion.
    package var lastUser: UserID?

    package init(batch: Batch, users: [StoredUser], isLast: Bool) {
        self.batch = batch
        self.users = users
        self.isLast = isLast
    }
}
