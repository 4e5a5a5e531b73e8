/// What Apple says of a right, as a part of a sentence: state, product, transaction and the
/// instants that matter.
extension Grantor {
    var inWords: String {
        let what = covering.named
        let end = endsAt?.description ?? "no end"
        switch state {
        case .active where kind == .nonRenewing:
            return "Apple shows \(what), which by the catalogue's access duration"
                + (endsAt == .distantFuture ? " never ends" : " lasts until \(end)")
        case .active: return "Apple shows \(what) as \(hold)"
        case .grace:
            let expiry = covering.expiresAt?.description ?? "at an unknown time"
            return "Apple could not yet collect the renewal of \(what), which expired \(expiry),"
                + " and grants a grace period until \(end)"
        case .revoked: return "Apple refunded \(what) at \(end)\(covering.refundReason)"
        case .familyRevoked: return "Apple withdrew the family sharing of \(what) at \(end)"
        case .billingRetry:
            return "Apple cannot collect the renewal of \(what), which expired \(end)"
                + (laterCause ?? " and has no grace period left")
        case .expired where kind == .nonRenewing:
            return "Apple shows \(what), which by the catalogue's access duration ended at \(end)"
                + (laterCause ?? "")
        case .expired:
            return "Apple shows \(what) as expired since \(end)\(endReason)" + (laterCause ?? "")
        }
    }

    /// For what is over, what came after its end and is the cause: `event_at`.
    private var laterCause: String? {
        guard let goneAt, let endsAt, goneAt > endsAt else { return nil }
        if renewal?.gracePeriodExpiresAt == goneAt {
            return ", with a grace period until \(goneAt)"
        }
        let what = chain == nil ? "another purchase of it" : "a purchase of its chain"
        return ", with \(what) cancelled at \(goneAt)"
    }

    /// How the customer holds what is active.
    private var hold: String {
        guard let endsAt else {
            return covering.isFamilyShared
                ? "shared by the family and not withdrawn" : "owned and not refunded"
        }
        if covering.isFamilyShared { return "shared by the family until \(endsAt)" }
        return covering.isTrial ? "in a free trial until \(endsAt)" : "paid until \(endsAt)"
    }

    /// Why a subscription ended, with a comma before it.
    var endReason: String {
        guard kind == .autoRenewable else { return "" }
        switch expirationReason {
        case .voluntary: return ", because the customer cancelled"
        case .billing: return ", because the payment failed"
        case .priceIncrease: return ", because the customer did not agree to a price increase"
        case .productUnavailable: return ", because the product was no longer for sale"
        case .unknown: return ""
        }
    }
}

extension Purchase {
    /// Product, transaction and when it was bought.
    var named: String { "\(product) (transaction \(id), bought \(purchasedAt))" }

    var refundReason: String {
        cancellationReasonName == "app_issue" ? " because of an issue with the app" : ""
    }

    /// Apple's "1" is an issue with the app; anything else is another reason.
    var cancellationReasonName: String? {
        isCancelled ? (cancellationReason == "1" ? "app_issue" : "other") : nil
    }
}
