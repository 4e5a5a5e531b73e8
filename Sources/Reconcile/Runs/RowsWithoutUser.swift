/// How many stored rows of a run belong to no user. They are counted, and judged by nothing.
package struct RowsWithoutUser: Hashable, Sendable {
    package var receipts = 0
    package var entitlements = 0

    var isEmpty: Bool { receipts == 0 && entitlements == 0 }
}

extension JudgedUser {
    /// The counts of rows without a user, in the form in which users are recorded.
    init(_ rows: RowsWithoutUser) {
        self.init(user: nil)
        receipts.add(rows.receipts, to: .unusable)
        entitlements.add(rows.entitlements, to: .notJudged)
    }
}
