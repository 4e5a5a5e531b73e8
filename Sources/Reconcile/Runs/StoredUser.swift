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
    /// The result of the first look, for a user put off to the second look.
    var firstLook: RefusedUser?

    init(user: UserID) { self.user = user }
}

struct BatchPortion: Sendable {
    let batch: Batch
    var users: [StoredUser]
    var isLast: Bool
    /// The last user of the portion's range; may be nil in the last portion.
    var lastUser: UserID?

    /// Its users and rows, as the views are counted: with those that cannot be read.
    var counts: ViewCounts {
        var counts = ViewCounts(users: users.count, receipts: 0, entitlements: 0)
        for user in users {
            counts.receipts += user.receipts.count + user.invalidReceipts.count
            counts.entitlements += user.entitlements.count + user.invalidEntitlements.count
        }
        return counts
    }

    init(batch: Batch, users: [StoredUser], isLast: Bool) {
        self.batch = batch
        self.users = users
        self.isLast = isLast
    }
}
