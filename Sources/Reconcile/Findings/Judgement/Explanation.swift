/// The sentence of each finding: the facts that made it, for a person who never saw our code.
extension Account {
    func explanation(
        _ kind: FindingKind, row: StoredEntitlement?, grantor: Grantor?
    ) -> String {
        guard let grantor else {
            return row.map { explanationWithoutGrantor(kind, $0) } ?? kind.rawValue
        }
        let apple = appleSide(grantor)
        let service = row.map(serviceSide) ?? "the service has no entitlement for it on file"
        switch kind {
        case .expiryMissing:
            return "\(apple), but \(service): the stored expiry is missing."
        case .expiryTooLate:
            return "\(apple), but \(service): the stored expiry is later than Apple's."
        case .expiryTooEarly:
            return "\(apple), but \(service): the stored expiry is earlier than Apple's."
        case .refundReversedNotRestored:
            return "\(apple) after taking back a refund that an earlier run saw, but \(service)"
                + " and no other entitlement of the user covers it."
        case .activeNotGranted, .graceNotGranted, .ownedNotGranted:
            return "\(apple), but \(service) and no other entitlement of the user covers it."
        default:
            return "\(apple), but \(service)."
        }
    }

    private func explanationWithoutGrantor(_ kind: FindingKind, _ row: StoredEntitlement) -> String
    {
        let service = serviceSide(row).capitalizedFirst
        let receipts = evidence.receipts.count
        switch kind {
        case .grantWithoutReceipt:
            return "\(service), but no receipt of this user is on file:"
                + " nothing proves the purchase, and nothing disproves it."
        case .wrongAppReceipt:
            return "\(service), but a purchase of it, or of its subscription group, stands only"
                + " in a receipt for another app than the one it was stored for."
        case .sandboxGrantsProduction:
            return "\(service), but the user's only proof is a test purchase"
                + " (Apple's sandbox, or Xcode), for which nobody paid."
        default:
            let verified = evidence.receipts.count { $0.verified != nil }
            return "\(service), but nothing on file gives it: of the user's \(receipts) stored"
                + " receipt\(receipts == 1 ? "" : "s") Apple verified \(verified), and no purchase"
                + " that they show up to \(settings.asOf) gives it or its subscription group."
        }
    }

    /// What Apple says of a right: state, product, transaction and the instants that matter.
    private func appleSide(_ grantor: Grantor) -> String {
        let what =
            "\(grantor.product) (transaction \(grantor.covering.id),"
            + " bought \(grantor.covering.purchasedAt))"
        let end = grantor.endsAt?.description ?? "no end"
        switch grantor.state {
        case .active:
            return grantor.endsAt == nil
                ? "Apple shows \(what) as owned and not refunded"
                : "Apple shows \(what) as paid until \(end)"
        case .grace:
            let expiry = grantor.covering.expiresAt?.description ?? "an unknown time"
            return "Apple could not yet collect the renewal of \(what), which expired \(expiry),"
                + " and grants a grace period until \(end)"
        case .revoked:
            return "Apple refunded \(what) at \(end)\(grantor.covering.refundReason)"
        case .familyRevoked:
            return "Apple withdrew the family sharing of \(what) at \(end)"
        case .billingRetry:
            return "Apple cannot collect the renewal of \(what), which expired \(end)"
                + " and has no grace period left"
        case .expired:
            return "Apple shows \(what) as expired since \(end)\(endReason(grantor))"
        }
    }

    private func serviceSide(_ row: StoredEntitlement) -> String {
        let entitlement = "entitlement \(row.id)"
        guard row.isActive else { return "\(entitlement) of \(row.product) is not active" }
        guard let expiresAt = row.expiresAt else {
            return "\(entitlement) grants \(row.product) without an end"
        }
        return expiresAt > settings.asOf
            ? "\(entitlement) grants \(row.product) until \(expiresAt)"
            : "\(entitlement) granted \(row.product) only until \(expiresAt)"
    }

    private func endReason(_ grantor: Grantor) -> String {
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

extension Account {
    func explanation(of purchase: Purchase, cancelledAt: Instant) -> String {
        let what =
            "\(purchase.product) (transaction \(purchase.id), bought"
            + " \(purchase.purchasedAt))"
        return purchase.isFamilyShared
            ? "Apple withdrew the family sharing of \(what) at \(cancelledAt)."
            : "Apple refunded \(what) at \(cancelledAt)\(purchase.refundReason)."
    }

    func explanation(ofReversal purchase: Purchase, cancelledAt: Instant) -> String {
        let what = purchase.isFamilyShared ? "the family sharing withdrawn" : "a refund"
        return "Apple no longer shows \(what) of \(purchase.product) (transaction \(purchase.id),"
            + " bought \(purchase.purchasedAt)), of \(cancelledAt), which an earlier run reported:"
            + " the purchase stands again."
    }

    func explanationOfExpiry(_ grantor: Grantor, endedAt: Instant) -> String {
        let what = grantor.kind == .autoRenewable ? "subscription" : "pass"
        return "The \(what) \(grantor.product) (original transaction \(grantor.originalID))"
            + " ended at \(endedAt)\(endReason(grantor))."
    }

    func explanation(_ kind: FindingKind, of evidence: ReceiptEvidence) -> String {
        let receipt = "receipt \(evidence.id), stored \(evidence.storedAt) for \(evidence.bundle),"
        switch (kind, evidence.validation) {
        case (.receiptForOtherApp, .verified(let answer)):
            return "Apple says that \(receipt) belongs to another app, \(answer.bundle):"
                + " it proves nothing for this one."
        case (.receiptNotAuthentic, .rejected(.signature)):
            return
                "The signature of \(receipt) does not fit its own bytes, and Apple cannot read it"
                + " (status 21002): it was changed after it was signed and proves no purchase."
        case (.receiptNotAuthentic, _):
            return "Apple said twice that it could not authenticate \(receipt)"
                + " (status 21003): it proves no purchase."
        case (.receiptAccountGone, _):
            return "Apple said twice that the account of \(receipt) is not found or was deleted"
                + " (status 21010)."
        case (.receiptIsJWS, _):
            return "What is stored as \(receipt) is a StoreKit 2 signed transaction:"
                + " verifyReceipt cannot check it, the App Store Server API can."
        case (.receiptFromXcode, _):
            return "What is stored as \(receipt) was made by Xcode's StoreKit testing:"
                + " Apple does not know it and nobody paid."
        case (_, .unusable(.empty)):
            return "What is stored as \(receipt) is empty: ask the app to send its receipt again."
        default:
            return "What is stored as \(receipt) is not a receipt:"
                + " ask the app to send its receipt again."
        }
    }
}

extension Purchase {
    fileprivate var refundReason: String {
        cancellationReasonName == "app_issue" ? " because of an issue with the app" : ""
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
