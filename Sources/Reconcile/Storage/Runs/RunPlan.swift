package struct RunPlan: Hashable, Sendable {
    let batches: Int
    package let users: Int
    /// Over everything, includes receipts without a user.
    package let receipts: Int
}
