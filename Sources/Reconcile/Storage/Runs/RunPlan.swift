/// How much a run will do.
package struct RunPlan: Hashable, Sendable {
    package let batches: Int
    /// Users with a receipt or an entitlement.
    package let users: Int
    /// Those without a user included, when everything is meant.
    package let receipts: Int

    package init(batches: Int, users: Int, receipts: Int) {
        self.batches = batches
        self.users = users
        self.receipts = receipts
    }
}
