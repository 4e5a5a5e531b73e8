struct StoredUser: Sendable {
    var user: UserID
    /// Ordered by id, in the collation of the views.
    var receipts: [StoredReceipt] = []
    var invalidReceipts: [InvalidStoredReceipt] = []
    var entitlements: [StoredEntitlement] = []
    var invalidEntitlements: [InvalidStoredEntitlement] = []
    var downloadKeys: [StoredDownloadKey] = []
    /// More receipt data than `BatchReader` reads for one user: the receipts come without it.
    var isTooLarge = false
    var history = UserHistory()
    /// The result of the first pass, for a user put off to the second look.
    var firstPass: RefusedUser?
}
