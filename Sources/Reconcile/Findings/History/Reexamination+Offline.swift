/// What a night that asked nobody may clear: what the service's own side shows to be mended. What
/// Apple said to an earlier night, an old receipt cannot take back.
extension Reexamination {
    func clearsOffline(_ open: Finding) -> Bool {
        if open.kind.file == .receipts { return clearsOffline(onReceipt: open) }
        guard let entitlement = open.entitlement else { return isCovered(open.productApple) }
        if unreadableRows.contains(entitlement) { return false }
        guard let row = account.evidence.entitlements.first(where: { $0.id == entitlement }) else {
            return open.kind.needsGrant
        }
        guard !account.isInFlux(row) else { return false }
        guard row.isGranted(asOf: account.settings.asOf) else { return open.kind.needsGrant }
        switch open.kind {
        case .grantWithoutReceipt: return !account.hasNoReceipt
        case .upgradeNotApplied: return row.product == open.productApple
        case .expiryTooEarly:
            guard let stored = row.expiresAt, let due = open.appleExpiresAt else {
                return row.expiresAt == nil
            }
            return stored >= due - account.settings.tolerance
        default: return !open.kind.needsGrant
        }
    }

    /// What is stored was no receipt, and now it is one, or gone.
    private func clearsOffline(onReceipt open: Finding) -> Bool {
        let isThere = account.evidence.receipts.contains { $0.id == open.receipt }
        switch open.kind {
        case _ where !isThere, .receiptMalformed, .receiptIsJWS, .receiptFromXcode:
            return isReceiptRead(open.receipt, ifGone: true)
        default: return false
        }
    }

    /// Whether a row now grants what no row was about.
    private func isCovered(_ product: ProductID?) -> Bool {
        let right = product.map(account.catalog.right)
        return account.evidence.entitlements.contains { row in
            row.isGranted(asOf: account.settings.asOf) && !account.isInFlux(row)
                && account.catalog.right(of: row.product) == right
        }
    }
}
