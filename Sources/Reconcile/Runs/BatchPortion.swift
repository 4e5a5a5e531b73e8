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
}
