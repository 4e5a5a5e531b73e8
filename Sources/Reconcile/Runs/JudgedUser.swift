/// What judging one user brought: recorded as a whole or not at all.
package struct JudgedUser: Sendable {
    /// Nil: the stored rows that name no user; or the controls of a second look, of whom only the
    /// requests are recorded.
    package var user: UserID?
    package var outcomes: [Outcome] = []
    package var findings: [ReportedFinding] = []
    /// The entitlements that are neither consistent nor in a finding.
    package var notReported: [NotReported] = []
    /// Events that later runs must know as told, although no report has them.
    package var remembered: [Finding] = []
    /// Ids of findings of earlier runs that could not be judged: they stay open.
    package var unjudged: [String] = []
    package var receipts = ReceiptTally()
    package var entitlements = EntitlementTally()
    package var requests = RequestRecord()
    /// The earliest answer that the user was judged by.
    package var oldestVerifiedAt: Instant?
    /// Apple's answers that are kept.
    package var evidence: [KeptAnswer] = []
    /// Receipts that Apple signed as it answered.
    package var keptReceipts: [KeptReceipt] = []
    /// What the verdicts stood on; nil where that is kept already, or is not to be.
    package var record: JudgedRecord?
    // What is compared over users when all are recorded.
    package var purchases: [PurchaseSighting] = []
    package var receiptSightings: [ReceiptSighting] = []
    package var unknownProducts: [UnknownProduct] = []
    package var undecided: UndecidedUser?

    package init(user: UserID?) { self.user = user }
}

/// A user of whom Apple refused a receipt, and who is asked about again in a second look.
package struct PutOffUser: Sendable {
    package var user: UserID
    /// The receipts that were refused, of identical ones the first, and by which server.
    package var refusals: [ReceiptID: StoreEnvironment]
    package var requests: RequestRecord

    package init(
        user: UserID, refusals: [ReceiptID: StoreEnvironment], requests: RequestRecord
    ) {
        self.user = user
        self.refusals = refusals
        self.requests = requests
    }
}

/// What the recorder is handed over.
package enum UserRecord: Sendable {
    case judged(Reference<JudgedUser>)
    case putOff(PutOffUser)

    package var user: UserID? {
        switch self {
        case .judged(let judged): judged.value.user
        case .putOff(let putOff): putOff.user
        }
    }
}

/// A value that is passed on from list to list without a copy of everything it holds.
package final class Reference<Value: Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
