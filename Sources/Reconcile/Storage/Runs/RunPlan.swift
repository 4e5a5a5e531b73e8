package struct RunPlan: Hashable, Sendable {
    let batches: Int
    /// Users with a receipt or an entitlement.
    package let users: Int
    /// Over everything, includes receipts without a user.
    package let receipts: Int
}
