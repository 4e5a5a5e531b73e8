/// Everything that is stored of one user, as one snapshot has it.
package struct StoredUser: Sendable {
    /// Nil: the rows that name no user.
    package var user: UserID?
    /// In the order of their ids, in the views' collation.
    package var receipts: [StoredReceipt] = []
    /// Rows with a null where none may be.
    package var invalidReceipts: [InvalidStoredReceipt] = []
    package var entitlements: [StoredEntitlement] = []
    /// Rows with a null where none may be.
    package var invalidEntitlements: [InvalidStoredEntitlement] = []
    /// What the service handed out for the receipts.
    package var downloadKeys: [StoredDownloadKey] = []
    /// The receipts are more than can be read at once: they have no data.
    package var isTooLarge = false
    /// What earlier runs left of the user.
    package var history = UserHistory()
    /// What the first look took, for a user who was put off.
    package var firstLook: PutOffUser?

    package init(user: UserID?) { self.user = user }
}

/// Some users of a batch, read in one snapshot, with what earlier runs left of them.
package struct BatchPortion: Sendable {
    package let batch: Batch
    package var users: [StoredUser]
    /// Whether no user of the batch is left to be read.
    package var isLast: Bool
    /// The end of the range that the portion is of, unless it is the last.
    package var lastUser: UserID?

    package init(batch: Batch, users: [StoredUser], isLast: Bool) {
        self.batch = batch
        self.users = users
        self.isLast = isLast
    }
}
