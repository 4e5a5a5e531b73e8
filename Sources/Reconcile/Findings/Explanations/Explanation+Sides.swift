/// The two sides of a disagreement, as parts of a sentence.
extension Account {
    /// What Apple says of a right: state, product, transaction and the instants that matter.
    func appleSide(_ grantor: Grantor) -> String {
        let what = grantor.covering.named
        let end = grantor.endsAt?.description ?? "no end"
        switch grantor.state {
        case .active: return "Apple shows \(what) as \(hold(grantor))"
        case .grace:
            let expiry = grantor.covering.expiresAt?.description ?? "at an unknown time"
            return "Apple could not yet collect the renewal of \(what), which expired \(expiry),"
                + " and grants a grace period until \(end)"
        case .revoked: return "Apple refunded \(what) at \(end)\(grantor.covering.refundReason)"
        case .familyRevoked: return "Apple withdrew the family sharing of \(what) at \(end)"
        case .billingRetry:
            return "Apple cannot collect the renewal of \(what), which expired \(end)"
                + " and has no grace period left"
        case .expired: return "Apple shows \(what) as expired since \(end)\(endReason(grantor))"
        }
    }

    /// How the customer holds what is active.
    private func hold(_ grantor: Grantor) -> String {
        let covering = grantor.covering
        guard let end = grantor.endsAt else {
            return covering.isFamilyShared
                ? "shared by the family and not withdrawn" : "owned and not refunded"
        }
        if covering.isFamilyShared { return "shared by the family until \(end)" }
        return covering.isTrial ? "in a free trial until \(end)" : "paid until \(end)"
    }

    func serviceSide(_ row: StoredEntitlement) -> String {
        let entitlement = "entitlement \(row.id)"
        guard row.isActive else { return "\(entitlement) of \(row.product) is not active" }
        guard let expiresAt = row.expiresAt else {
            return "\(entitlement) grants \(row.product) without an end"
        }
        return expiresAt > settings.asOf
            ? "\(entitlement) grants \(row.product) until \(expiresAt)"
            : "\(entitlement) granted \(row.product) only until \(expiresAt)"
    }

    func endReason(_ grantor: Grantor) -> String {
        guard grantor.kind == .autoRenewable else { return "" }
        switch grantor.expirationReason {
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
    var named: String {
        "\(transaction.product) (transaction \(transaction.id), bought \(transaction.purchasedAt))"
    }

    var refundReason: String {
        cancellationReasonName == "app_issue" ? " because of an issue with the app" : ""
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
