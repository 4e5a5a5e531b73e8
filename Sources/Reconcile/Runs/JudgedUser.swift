/// The result of judging one user. It is recorded as a whole or not at all.
struct JudgedUser: Sendable {
    /// Nil for the counts of rows without a user, and for the requests of a second look's controls.
    var user: UserID?
    var outcomes: [Outcome] = []
    var findings: [ReportedFinding] = []
    var notReported: [NotReported] = []
    /// Events too old to report. Later runs must not report them either.
    var remembered: [Finding] = []
    /// Ids of earlier findings that could not be judged and stay open.
    var unjudged: [String] = []
    var receipts = ReceiptTally()
    var entitlements = EntitlementTally()
    var requests = RequestRecord()
    var oldestVerifiedAt: Instant?
    var evidence: [KeptAnswer] = []
    var keptReceipts: [KeptReceipt] = []
    /// The facts behind the verdicts; nil when kept by an earlier run or not to be kept.
    var record: JudgedRecord?
    // Compared between users after all users are recorded (the next four).
    var purchases: [PurchaseSighting] = []
    var receiptSightings: [ReceiptSighting] = []
    var unknownProducts: [UnknownProduct] = []
    var undecided: UndecidedUser?
    /// Whether what earlier runs judged may disprove a finding.
    var mayForgetPurchase = false

    init(user: UserID?) { self.user = user }
}

/// A user with a refused receipt, who gets a second look.
struct RefusedUser: Sendable {
    var user: UserID
    /// The refused receipts and the server that refused each. Of identical receipts, the first.
    var refusals: [ReceiptID: StoreEnvironment]
    var requests: RequestRecord
}

enum UserRecord: Sendable {
    case judged(Reference<JudgedUser>)
    case refused(RefusedUser)
    /// A user of a stopped app, who is read again at the end. The requests that were sent already,
    /// which belong to no judged user; nil without any.
    case putOff(Reference<JudgedUser>?)

    /// What is recorded of a judged user, or of the requests about one who was put off.
    var judged: Reference<JudgedUser>? {
        switch self {
        case .judged(let user): user
        case .refused: nil
        case .putOff(let requests): requests
        }
    }

    var user: UserID? {
        switch self {
        case .judged(let judged): judged.value.user
        case .refused(let refused): refused.user
        case .putOff: nil
        }
    }
}

/// A reference to a large value, so that moving it between arrays does not copy it.
final class Reference<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
