/// A range of users, leased by one worker.
struct Batch: Hashable, Sendable {
    let number: Int
    /// In the database's collation. Nil for rows without a user and for a group of a second look.
    let users: ClosedUserRange?
    /// What the range had when the run was cut; no receipts and entitlements for a group.
    var planned = ViewCounts.zero
    /// 1: first pass; 2: a group of the second look; 3: the same group after it was postponed.
    var look = 1
    /// Whether users of it were deferred, since their app was stopped. All others are recorded now.
    var isDeferred = false
    /// The fencing number of the lease. A worker writes nothing once there is another one.
    var lease = 0
    /// Whether no worker had it before, and so no user of it is recorded.
    var isFirstLease = true
    /// Consecutive attempts that ended before a user was recorded.
    var attempts = 0

    /// How many users, receipts or entitlements that the range had are missing among `found`: the
    /// greatest of the three. Negative if there are more of each.
    func missing(among found: ViewCounts) -> Int {
        max(
            planned.users - found.users, planned.receipts - found.receipts,
            planned.entitlements - found.entitlements)
    }

    var isFirstPass: Bool { look == 1 }

    /// Whether it stands for the stored rows without a user.
    var isWithoutUser: Bool { isFirstPass && users == nil }
}

struct ClosedUserRange: Hashable, Sendable {
    let first: UserID
    let last: UserID
}
