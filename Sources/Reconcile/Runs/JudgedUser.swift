/// The result of judging one user. It is recorded as a whole or not at all.
package struct JudgedUser: Sendable {
    /// Nil for stored rows without a user, and for the controls of a second look, of which only the
    /// requests are recorded.
    package var user: UserID?
    package var outcomes: [Outcome] = []
    package var findings: [ReportedFinding] = []
    /// Entitlements that are neither consistent nor in a finding.
    package var notReported: [NotReported] = []
    /// Events too old to report. Later runs must not report them either.
    package var remembered: [Finding] = []
    /// Ids of earlier findings that could not be judged and stay open.
    package var unjudged: [String] = []
    package var receipts = ReceiptTally()
    package var entitlements = EntitlementTally()
    package var requests = RequestRecord()
    package var oldestVerifiedAt: Instant?
    package var evidence: [KeptAnswer] = []
    package var keptReceipts: [KeptReceipt] = []
    /// The facts behind the verdicts; nil when kept by an earlier run or not to be kept.
    package var record: JudgedRecord?
    // Compared between users after all users are recorded (the next four).
    package var purchases: [PurchaseSighting] = []
    package var receiptSightings: [ReceiptSighting] = []
    package var unknownProducts: [UnknownProduct] = []
    package var undecided: UndecidedUser?

    package init(user: UserID?) { self.user = user }
}

/// A user with a refused receipt, who gets a second look.
package struct PostponedUser: Sendable {
    package var user: UserID
    /// The refused receipts and the server that refused each. Of identical receipts, the first.
    package var refusals: [ReceiptID: StoreEnvironment]
    package var requests: RequestRecord
}

package enum UserRecord: Sendable {
    case judged(Reference<JudgedUser>)
    case postponed(PostponedUser)

    package var user: UserID? {
        switch self {
        case .judged(let judged): judged.value.user
        case .postponed(let postponed): postponed.user
        }
    }
}

/// A reference to a large value, so that moving it between arrays does not copy it.
package final class Reference<Value: Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
