/// The input of judging one user, from one snapshot.
struct UserEvidence: Sendable {
    var user: UserID
    var receipts: [ReceiptEvidence]
    /// Rows with a null in a required column.
    var invalidReceipts = 0
    var entitlements: [StoredEntitlement]
    /// Rows with a null in a required column. What they grant is unknown.
    var invalidEntitlements = 0
    /// The ids of the invalid rows that have one.
    var unreadableEntitlements: Set<EntitlementID> = []
    /// Whether the user is the digest of a receipt that nobody claims: nothing is owed to it, and
    /// it shares nothing.
    var isUnclaimed = false
    var downloadKeys: [StoredDownloadKey] = []
}
