/// What a night that asked nobody may clear beside what the service has undone: what the service's
/// own side shows to be mended. What Apple told an earlier night, an old receipt cannot take back.
extension Reexamination {
    /// The granted row has what was due by the finding.
    func isMended(_ open: Finding, on row: StoredEntitlement) -> Bool {
        switch open.kind {
        case .upgradeNotApplied: return row.product == open.productApple
        case .expiryTooEarly:
            guard let stored = row.expiresAt else { return true }
            return stored >= (open.appleExpiresAt ?? .distantFuture) - account.settings.tolerance
        default: return false
        }
    }

    /// What is stored was no receipt, and now it is one, or gone. A receipt that is gone proves
    /// nothing against anybody.
    func isReplaced(_ open: Finding) -> Bool {
        let isThere = account.evidence.receipts.contains { $0.id == open.receipt }
        switch open.kind {
        case _ where !isThere, .receiptMalformed, .receiptIsJWS, .receiptFromXcode:
            return isReceiptJudged(for: open)
        default: return false
        }
    }
}
