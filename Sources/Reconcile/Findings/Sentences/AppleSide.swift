/// Apple's side of a right at one instant: the facts of the best grantor, as stored.
struct AppleSide: Hashable, Sendable {
    var state: AppleState
    var kind: ProductKind
    var product: ProductID
    var transaction: TransactionID
    var originalTransaction: TransactionID
    var purchasedAt: Instant
    var expiresAt: Instant?
    var endsAt: Instant?
    var goneAt: Instant?
    var gracePeriodExpiresAt: Instant?
    var ownership: Ownership?
    var lineItem: LineItemID?
    var isTrial: Bool
    var willRenew: Bool?
    var reason: String?
    var receipt: ReceiptID
    var bundle: BundleID
    var environment: StoreEnvironment
    /// Whose answer shows it; nil for a receipt's own signature, and where it is not noted.
    var source: AnswerSource?
}

extension AppleSide {
    init(_ grantor: Grantor) {
        let covering = grantor.covering
        self.init(
            state: grantor.appleState, kind: grantor.kind, product: grantor.product,
            transaction: covering.id, originalTransaction: covering.originalID,
            purchasedAt: covering.purchasedAt, expiresAt: covering.expiresAt,
            endsAt: grantor.endsAt, goneAt: grantor.goneAt,
            gracePeriodExpiresAt: grantor.renewal?.gracePeriodExpiresAt,
            ownership: covering.ownership, lineItem: covering.lineItem,
            isTrial: covering.isTrial,
            willRenew: grantor.renewal?.willRenew, reason: grantor.reason,
            receipt: covering.source.id, bundle: covering.source.receipt.bundle,
            environment: covering.source.receipt.environment,
            source: covering.source.proof.source)
    }

    var inWords: String {
        let what = "\(product) (transaction \(transaction), bought \(purchasedAt))"
        let end = endsAt?.description ?? "no end"
        switch state {
        case .active where kind == .nonRenewing:
            return "Apple shows \(what), which by the catalogue's access duration"
                + (endsAt == .distantFuture ? " never ends" : " lasts until \(end)")
        case .active: return "Apple shows \(what) as \(hold)"
        case .grace:
            let expiry = expiresAt?.description ?? "at an unknown time"
            return "Apple could not yet collect the renewal of \(what), which expired \(expiry),"
                + " and grants a grace period until \(end)"
        case .revoked:
            let why = reason == "app_issue" ? " because of an issue with the app" : ""
            return "Apple refunded \(what) at \(end)\(why)"
        case .familyRevoked: return "Apple withdrew the family sharing of \(what) at \(end)"
        case .billingRetry:
            return "Apple cannot collect the renewal of \(what), which expired \(end)"
                + (laterCause ?? " and has no grace period left")
        case .expired where kind == .nonRenewing:
            return "Apple shows \(what), which by the catalogue's access duration ended at \(end)"
                + (laterCause ?? "")
        case .expired:
            return "Apple shows \(what) as expired since \(end)\(endReason)" + (laterCause ?? "")
        case .none: return "Apple shows nothing of it"
        }
    }

    /// The cause of an ended right (`event_at`) when it is later than the end.
    private var laterCause: String? {
        guard let goneAt, let endsAt, goneAt > endsAt else { return nil }
        if gracePeriodExpiresAt == goneAt { return ", with a grace period until \(goneAt)" }
        let what = kind == .autoRenewable ? "a purchase of its chain" : "another purchase of it"
        return ", with \(what) cancelled at \(goneAt)"
    }

    private var hold: String {
        let isShared = ownership == .familyShared
        guard let endsAt else {
            return isShared
                ? "shared by the family and not withdrawn" : "owned and not refunded"
        }
        if isShared { return "shared by the family until \(endsAt)" }
        return isTrial ? "in a free trial until \(endsAt)" : "paid until \(endsAt)"
    }

    private var endReason: String {
        reason.flatMap(ExpirationIntent.init).map(\.endReason) ?? ""
    }
}

extension Grantor {
    var inWords: String { AppleSide(self).inWords }

    var endReason: String { kind == .autoRenewable ? expirationReason.endReason : "" }
}

extension ExpirationIntent {
    fileprivate var endReason: String {
        switch self {
        case .voluntary: ", because the customer cancelled"
        case .billing: ", because the payment failed"
        case .priceIncrease: ", because the customer did not agree to a price increase"
        case .productUnavailable: ", because the product was no longer for sale"
        case .unknown: ""
        }
    }
}

extension Purchase {
    var named: String { "\(product) (transaction \(id), bought \(purchasedAt))" }

    var refundReason: String {
        cancellationReasonName == "app_issue" ? " because of an issue with the app" : ""
    }

    /// Apple's "1" is an issue with the app; any other value is another reason.
    var cancellationReasonName: String? {
        isCancelled ? (cancellationReason == "1" ? "app_issue" : "other") : nil
    }
}
