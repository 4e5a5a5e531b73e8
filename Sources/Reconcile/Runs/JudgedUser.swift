/// The result of judging one user. It is recorded as a whole or not at all.
struct JudgedUser: Sendable {
    /// Nil for the counts of rows without a user.
    var user: UserID?
    var outcomes: [Outcome] = []
    var findings: [ReportedFinding] = []
    var notReported: [NotReported] = []
    /// Events too old to report. Later runs must not report them either.
    var remembered: [Finding] = []
    /// Ids of earlier findings that could not be judged and stay open.
    var unjudged: [String] = []
    var receipts = Tally<ReceiptBucket>()
    var entitlements = Tally<EntitlementBucket>()
    var requests = RequestRecord()
    var oldestVerifiedAt: Instant?
    var sourceAgreement = SourceAgreement()
    var statusAgreement = StatusAgreement()
    /// Refunds of the sweep that an answer shows.
    var sweptTransactions: [TransactionID] = []
    var evidence: [KeptAnswer] = []
    var keptReceipts: [KeptReceipt] = []
    /// The facts behind the verdicts; nil when kept by an earlier run or not to be kept.
    var record: JudgedRecord?
    // Compared between users after all users are recorded (the next five).
    var purchases: [PurchaseSighting] = []
    var receiptSightings: [ReceiptSighting] = []
    var units: [UnitSighting] = []
    var unknownProducts: [UnknownProduct] = []
    var undecided: UndecidedUser?
}
