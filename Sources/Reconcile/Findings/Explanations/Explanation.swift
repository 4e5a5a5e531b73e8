/// The sentence of a finding of the first table: what Apple says, what is stored, and the rule that
/// sets them apart, for a person who never saw our code.
extension Account {
    func explanation(
        _ kind: FindingKind, row: StoredEntitlement, grantor: Grantor?
    ) -> String {
        switch (kind, grantor) {
        case (.freemiumUndecidable, _), (.freemiumGrantedNotPaid, _), (.freemiumPaidNotGranted, _):
            explanationByVersion(kind, of: row.product, row: row)
        case (.ownershipMismatch, let grantor?): explanationOfOwnership(row, grantor)
        case (.labelStale, let grantor?): explanationOfLabel(row, grantor)
        case (_, let grantor?):
            "\(appleSide(grantor)), but \(serviceSide(row)): \(rule(kind, row, grantor))."
        case (_, nil): explanationWithoutGrantor(kind, row)
        }
    }

    /// Of a right that no stored row is about.
    func explanation(of owed: OwedRight) -> String {
        guard owed.kind != .freemiumPaidNotGranted, let grantor = owed.grantor else {
            return explanationByVersion(owed.kind, of: owed.product, row: nil)
        }
        return "\(appleSide(grantor)), but \(serviceSide(without: owed.right)):"
            + " \(ruleOfOwedRight(owed.kind))."
    }

    private func rule(
        _ kind: FindingKind, _ row: StoredEntitlement, _ grantor: Grantor
    ) -> String {
        switch kind {
        case .refundedStillGranted: return "what Apple has refunded is no longer paid for"
        case .familyRevokedStillGranted: return "without the share this user has no right to it"
        case .expiredStillGranted: return "access should have ended with it"
        case .billingRetryStillGranted: return "until Apple collects, nothing is paid for"
        case .refundReversedNotRestored, .activeNotGranted, .graceNotGranted, .ownedNotGranted:
            return ruleOfOwedRight(kind)
        case .duplicateGrant:
            let other = otherGrantedRow(than: row, of: grantor.product)?.id.text ?? "another"
            return "entitlement \(other) grants \(grantor.product) already, and one purchase gives"
                + " one of the two"
        case .upgradeNotApplied, .downgradeNotApplied, .productMismatch:
            return ruleOfLevels(row, grantor)
        case .expiryMissing: return "the right has an end, and a grant without one goes on for ever"
        case .expiryTooLate:
            return "the stored expiry is more than \(tolerance) later than the latest end of"
                + " the right, \(Self.latestEnd(of: grantors(for: row)))"
        case .expiryTooEarly where grantor.lastInstant == .distantFuture:
            return "the right has no end, and the stored expiry would end it"
        case .expiryTooEarly:
            return "the stored expiry is more than \(tolerance) earlier than the end of the right"
        default: return "the two disagree"
        }
    }

    private func ruleOfOwedRight(_ kind: FindingKind) -> String {
        let uncovered = "no other entitlement of the user covers it"
        return switch kind {
        case .refundReversedNotRestored:
            "Apple has taken back a refund of it that an earlier run saw, and \(uncovered)"
        case .graceNotGranted: "access goes on during a grace period, and \(uncovered)"
        default: "the user has a right to it, and \(uncovered)"
        }
    }

    private func ruleOfLevels(_ row: StoredEntitlement, _ grantor: Grantor) -> String {
        let (stored, shown) = (catalog.products[row.product], catalog.products[grantor.product])
        guard let group = stored?.group, group == shown?.group, let own = stored?.serviceLevel,
            let others = shown?.serviceLevel
        else {
            return "the two are different products, and the catalogue does not say which of them"
                + " gives more"
        }
        guard own != others else {
            return "the two are different products, of one service level (\(own))"
        }
        return "service level \(others) was bought and level \(own) is granted, 1 being the highest"
    }

    private func explanationOfOwnership(_ row: StoredEntitlement, _ grantor: Grantor) -> String {
        let shown = grantor.covering.ownership?.rawValue ?? ""
        return "\(appleSide(grantor)), with the ownership \(shown), but \(serviceSide(row)) with"
            + " the ownership \(row.ownership?.rawValue ?? ""): both are known, and they differ."
    }

    private func explanationOfLabel(_ row: StoredEntitlement, _ grantor: Grantor) -> String {
        let willRenew = grantor.renewal?.willRenew == true
        return "\(appleSide(grantor)), and says that it \(willRenew ? "will" : "will not") renew"
            + " (auto_renew_status \(willRenew ? 1 : 0)), but \(serviceSide(row)) and is stored as"
            + " one that \(willRenew ? "will not" : "will") renew."
    }

    private var tolerance: String {
        let milliseconds = settings.tolerance.inMilliseconds
        return milliseconds % 1_000 == 0
            ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}
