/// The scope of a run, in whole users: a named receipt selects its user.
package enum RunScope: Hashable, Sendable {
    case everything
    case selected(users: [UserID], receipts: [ReceiptID])
    /// The first users in the database's order.
    case limited(users: Int)

    package var isEverything: Bool { self == .everything }

    var name: String {
        switch self {
        case .everything: "everything"
        case .selected: "selected"
        case .limited: "limited"
        }
    }
}
