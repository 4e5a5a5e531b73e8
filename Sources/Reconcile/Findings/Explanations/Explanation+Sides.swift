/// The two sides of a disagreement, as parts of a sentence.
extension Account {
    /// What Apple says of a right: state, product, transaction and the instants that matter.
    func appleSide(_ grantor: Grantor) -> String {
        let what = grantor.covering.named
        let end = grantor.endsAt?.description ?? "no end"
        switch grantor.state {
        case .active where grantor.kind == .nonRenewing:
            return "Apple shows \(what), which by the catalogue's access duration"
                + (grantor.endsAt == .distantFuture ? " never ends" : " lasts until \(end)")
        case .active: return "Apple shows \(what) as \(hold(grantor))"
        case .grace:
            let expiry = grantor.covering.expiresAt?.description ?? "at an unknown time"
            return "Apple could not yet collect the renewal of \(what), which expired \(expiry),"
                + " and grants a grace period until \(end)"
        case .revoked: return "Apple refunded \(what) at \(end)\(grantor.covering.refundReason)"
        case .familyRevoked: return "Apple withdrew the family sharing of \(what) at \(end)"
        case .billingRetry:
            return "Apple cannot collect the renewal of \(what), which expired \(end)"
                + (laterCause(grantor) ?? " and has no grace period left")
        case .expired where grantor.kind == .nonRenewing:
            return "Apple shows \(what), which by the catalogue's access duration ended at \(end)"
                + (laterCause(grantor) ?? "")
        case .expired:
            return "Apple shows \(what) as expired since \(end)\(endReason(grantor))"
                + (laterCause(grantor) ?? "")
        }
    }

    /// For what is over, what came after its end and is the cause: `event_at`.
    private func laterCause(_ grantor: Grantor) -> String? {
        guard let goneAt = grantor.goneAt, let endsAt = grantor.endsAt, goneAt > endsAt else {
            return nil
        }
        if grantor.renewal?.gracePeriodExpiresAt == goneAt {
            return ", with a grace period until \(goneAt)"
        }
        let what = grantor.chain == nil ? "another purchase of it" : "a purchase of its chain"
        return ", with \(what) cancelled at \(goneAt)"
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
        switch row.expiresAt {
        case nil: return "\(entitlement) grants \(row.product) without an end"
        case .distantFuture:
            return
                "\(entitlement) grants \(row.product) for ever (its expiry is stored as infinity)"
        case .distantPast:
            return "\(entitlement) never grants \(row.product) (its expiry is stored as -infinity)"
        case let expiresAt?:
            return expiresAt > settings.asOf
                ? "\(entitlement) grants \(row.product) until \(expiresAt)"
                : "\(entitlement) granted \(row.product) only until \(expiresAt)"
        }
    }

    /// Of a right for which no row can be blamed: there is none, or one that is not judged by it.
    func serviceSide(without right: Right) -> String {
        let rows = evidence.entitlements.filter { catalog.right(of: $0.product) == right }
        guard let row = rows.min(by: { $0.id < $1.id }) else {
            let unreadable = evidence.invalidEntitlements > 0 ? " that can be read" : ""
            return "the service has no entitlement for it on file\(unreadable)"
        }
        return "\(serviceSide(row)) (source \"\(row.source.name)\")"
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
        "\(product) (transaction \(id), bought \(purchasedAt))"
    }

    var refundReason: String {
        cancellationReasonName == "app_issue" ? " because of an issue with the app" : ""
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
