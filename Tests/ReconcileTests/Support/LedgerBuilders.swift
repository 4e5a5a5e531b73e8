@testable import Reconcile

extension LedgerEntry {
    static func of(
        _ finding: Finding, state: State? = nil, firstSeen: Instant = .day(-1)
    ) -> LedgerEntry {
        LedgerEntry(
            id: finding.identity.id, state: state ?? (finding.kind.isEvent ? .event : .open),
            identity: finding.identity, receipt: finding.receipt, firstSeen: firstSeen,
            eventAt: finding.eventAt)
    }

    static func refund(
        _ reference: String = "1", cancelled: Double, kind: FindingKind = .refundRecorded
    ) -> LedgerEntry {
        event(kind, reference, at: cancelled)
    }

    /// A reversed refund that was reported.
    static func reversal(_ reference: String = "1", cancelled: Double) -> LedgerEntry {
        event(.refundReversed, reference, at: cancelled)
    }

    private static func event(
        _ kind: FindingKind, _ reference: String, at day: Double
    ) -> LedgerEntry {
        let identity = FindingIdentity(
            kind: kind, user: "u", entitlement: nil, reference: reference)
        return LedgerEntry(
            id: identity.id, state: .event, identity: identity, firstSeen: .day(-30),
            eventAt: .day(day))
    }
}

extension UserHistory {
    /// The history after a run that published what `judgement` found and remembered.
    init(after judgement: Judgement) {
        self.init(
            judgement.findings.map { LedgerEntry.of($0) }
                + judgement.remembered.map { LedgerEntry.of($0, state: .remembered) })
    }
}
