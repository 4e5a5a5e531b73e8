/// One disagreement or event: the columns of a report line that depend neither on the run nor on
/// its history. Nil is an empty cell.
package struct Finding: Hashable, Sendable {
    var kind: FindingKind
    var severity: Severity
    var direction: Direction
    package var user: UserID?
    var entitlement: EntitlementID?
    package var receipt: ReceiptID?
    var productStored: ProductID?
    var productApple: ProductID?
    var originalTransaction: TransactionID?
    var transaction: TransactionID?
    var environment: StoreEnvironment?
    var bundle: BundleID?
    var ownership: Ownership?
    var storedActive: Bool?
    var storedExpiresAt: Instant?
    var appleState: AppleState
    var appleExpiresAt: Instant?
    var eventAt: Instant?
    var reason: String?
    var proposedAction: ProposedAction
    var explanation: String
    /// Whose answer it was read from.
    package var source: AnswerSource?
    /// The number of the question that it answers, among those about the user. Not reported.
    var question: Int?
    /// SHA-256 of the answer body about `receipt` as received, in hexadecimal; set by recording.
    package var evidenceSHA256: String?
    /// Whether Apple signed the facts of that answer; nil without a `latest_receipt`.
    var evidenceSigned: Bool?
    /// Distinguishes findings of the same kind, user and entitlement.
    var reference: String
    /// Whether it is an event of an unclaimed receipt: other users who show it go first.
    var isUnclaimed = false
    /// The estimated money. Shown only on the row where it counts.
    var estimate: Estimate?

    init(
        kind: FindingKind, weight: FindingKind.Weight, user: UserID?, explanation: String,
        reference: String = ""
    ) {
        self.kind = kind
        severity = weight.severity
        direction = weight.direction
        self.user = user
        self.explanation = explanation
        self.reference = reference
        appleState = .none
        proposedAction = kind.proposedAction
    }

    var identity: FindingIdentity {
        FindingIdentity(kind: kind, user: user, entitlement: entitlement, reference: reference)
    }
}

enum AppleState: String, Hashable, Sendable {
    case active, grace, revoked
    case familyRevoked = "family_revoked"
    case billingRetry = "billing_retry"
    case expired
    case none
}

extension Finding {
    init(_ rule: RowRule, on rowCase: RowCase) {
        self.init(
            kind: rule.kind, weight: rule.kind.weight, user: rowCase.user.evidence.user,
            explanation: rule.sentence(rowCase),
            reference: rowCase.row == nil ? rowCase.right.reference : "")
        entitlement = rowCase.row?.id
        productStored = rowCase.row?.product
        storedActive = rowCase.row?.isActive
        storedExpiresAt = rowCase.row?.expiresAt
        if let best = rowCase.best { show(best) }
        if let owed = rowCase.owed { productApple = owed.product }
        eventAt = rule.cause(rowCase)
    }

    mutating func show(_ grantor: Grantor) {
        show(grantor.covering)
        productApple = grantor.product
        appleState = grantor.appleState
        appleExpiresAt = grantor.endsAt
        if let why = grantor.reason { reason = why }
    }

    mutating func show(_ purchase: Purchase) {
        receipt = purchase.source.id
        source = purchase.source.proof.source
        question = purchase.source.question
        productApple = purchase.product
        originalTransaction = purchase.originalID
        transaction = purchase.id
        environment = purchase.source.receipt.environment
        bundle = purchase.source.receipt.bundle
        ownership = purchase.ownership
    }
}

extension Grantor {
    var appleState: AppleState { AppleState(rawValue: state.rawValue) ?? .none }

    var reason: String? {
        switch state {
        case .revoked, .familyRevoked: covering.cancellationReasonName
        case .expired where kind == .autoRenewable, .billingRetry: expirationReason.rawValue
        default: nil
        }
    }
}

extension Right {
    /// The prefix distinguishes a group and a product of the same name.
    var reference: String {
        switch self {
        case .group: "group:" + name
        case .product: "product:" + name
        }
    }
}
