/// Fills the columns of a finding from what made it (SPEC §9, "Columns by kind").
extension Account {
    /// A finding of the first table on a stored row.
    func finding(
        _ kind: FindingKind, on row: StoredEntitlement, grantor: Grantor?
    ) -> Finding {
        var finding = Finding(
            kind: kind, severity: kind.severity ?? .medium, direction: kind.direction ?? .none,
            user: evidence.user, explanation: explanation(kind, row: row, grantor: grantor))
        finding.entitlement = row.id
        finding.productStored = row.product
        finding.storedActive = row.isActive
        finding.storedExpiresAt = row.expiresAt
        if let grantor {
            finding.show(grantor)
        }
        finding.eventAt = cause(of: kind, row: row, grantor: grantor)
        return finding
    }

    /// A right that Apple's answers give and that no stored row is about.
    func finding(for owed: OwedRight) -> Finding {
        let kind = owed.kind
        var finding = Finding(
            kind: kind, severity: kind.severity ?? .medium, direction: kind.direction ?? .none,
            user: evidence.user, explanation: explanation(of: owed),
            reference: owed.right.reference)
        if let grantor = owed.grantor { finding.show(grantor) }
        finding.eventAt = cause(of: kind, row: nil, grantor: owed.grantor)
        return finding
    }

    func refund(of purchase: Purchase, cancelledAt: Instant) -> Finding {
        let kind: FindingKind =
            purchase.isFamilyShared ? .familyRevocationRecorded : .refundRecorded
        var finding = Finding(
            kind: kind, severity: .info, direction: .none, user: evidence.user,
            explanation: explanation(of: purchase, cancelledAt: cancelledAt),
            reference: purchase.id.text)
        let grantor = grantors.first { grantor in
            grantor.chain.map { $0 == purchase.originalID }
                ?? (grantor.product == purchase.product)
        }
        if let grantor { finding.show(grantor) }
        finding.show(purchase)
        finding.reason = isOffline ? nil : purchase.cancellationReasonName
        finding.eventAt = cancelledAt
        return finding
    }

    func expiry(of grantor: Grantor, endedAt: Instant) -> Finding {
        var finding = Finding(
            kind: .expired, severity: .info, direction: .none, user: evidence.user,
            explanation: explanationOfExpiry(grantor, endedAt: endedAt),
            reference: grantor.reference(endedAt: endedAt))
        finding.show(grantor)
        finding.eventAt = endedAt
        return finding
    }

    /// Since when it is so: what SPEC §5's table names as the cause. Nil: it never settles.
    func cause(
        of kind: FindingKind, row: StoredEntitlement?, grantor: Grantor?
    ) -> Instant? {
        switch kind {
        case .refundedStillGranted, .familyRevokedStillGranted: grantor?.endsAt
        case .expiredStillGranted, .billingRetryStillGranted: grantor?.goneAt
        case .grantWithoutReceipt, .wrongAppReceipt, .sandboxGrantsProduction,
            .grantWithoutTransaction, .freemiumGrantedNotPaid:
            row?.updatedAt
        case .graceNotGranted: grantor?.owedSince(kind)
        case .freemiumUndecidable, .freemiumPaidNotGranted, .ownershipMismatch, .labelStale: nil
        default: grantor?.covering.purchasedAt
        }
    }
}

extension Finding {
    /// Apple's side of a right: the best grantor's columns.
    mutating func show(_ grantor: Grantor) {
        show(grantor.covering)
        productApple = grantor.product
        appleState = grantor.appleState
        appleExpiresAt = grantor.endsAt
        if let why = grantor.reason { reason = why }
    }

    /// The transaction that decides, and the receipt whose answer carried it.
    fileprivate mutating func show(_ purchase: Purchase) {
        receipt = purchase.source.id
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

    /// Why Apple took it back, or why it ended.
    var reason: String? {
        switch state {
        case .revoked, .familyRevoked: covering.cancellationReasonName
        case .expired where kind == .autoRenewable, .billingRetry: expirationReason.rawValue
        default: nil
        }
    }
}

extension Purchase {
    /// Apple's "1" is an issue with the app; anything else is another reason.
    var cancellationReasonName: String? {
        isCancelled ? (cancellationReason == "1" ? "app_issue" : "other") : nil
    }
}

extension Right {
    /// A group and a product of one name are two rights.
    var reference: String {
        switch self {
        case .group: "group:" + name
        case .product: "product:" + name
        }
    }
}

extension Grantor {
    /// The chain and its end; for a pass its product, since one purchase may begin several.
    fileprivate func reference(endedAt: Instant) -> String {
        let name = chain.map { "chain:" + $0.text } ?? "product:" + product.text
        return name + "@" + String(endedAt.milliseconds)
    }
}
