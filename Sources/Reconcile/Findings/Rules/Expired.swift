extension FindingKind {
    /// A subscription or pass has ended, even when another one gives the right. Reported once.
    static let expired = FindingKind(
        "expired", .info, .none, in: .expirations, action: .none, event: .expiry)
}

extension FactRule {
    // `Judge` drops those that `expired_still_granted` mentions. Of a receipt that nobody claims no
    // customer's right ends.
    static let expired = FactRule(.expired) { user in
        guard !user.evidence.isUnclaimed else { return [] }
        return user.grantors.compactMap { grantor in
            guard grantor.state == .expired, let endsAt = grantor.endsAt,
                user.settings.isReportable(eventAt: endsAt),
                !user.settings.isSettling(grantor.goneAt)
            else { return nil }
            return Finding(expiryOf: grantor, endedAt: endsAt, of: user)
        }
    }
}

extension Finding {
    init(expiryOf grantor: Grantor, endedAt: Instant, of user: UserCase) {
        let what = grantor.kind == .autoRenewable ? "subscription" : "pass"
        self.init(
            kind: .expired, weight: FindingKind.expired.weight, user: user.evidence.user,
            explanation: "The \(what) \(grantor.covering.named), of the original transaction"
                + " \(grantor.originalID), ended at \(endedAt)\(grantor.endReason).",
            reference: grantor.reference(endedAt: endedAt))
        show(grantor)
        eventAt = endedAt
    }
}

extension Grantor {
    /// The chain and its end. For a pass also the product, since one purchase can start several.
    fileprivate func reference(endedAt: Instant) -> String {
        let name = chain.map { "chain:" + $0.text } ?? "product:" + product.text
        return name + "@" + String(endedAt.milliseconds)
    }
}
