/// A user's receipt of an app that was paid before it became free. Compared with other users' at
/// the end of the run, when all have been judged.
struct ReceiptSighting: Hashable, Sendable {
    var user: UserID
    var receipt: ReceiptID
    var bundle: BundleID
    /// SHA-256 of the receipt's bytes after base64 repair, 32 bytes. Set when the user is recorded.
    var digest: [UInt8] = []
    /// Nil unless a granted `legacy_paid` row is based on the receipt.
    var grant: Grant?

    struct Grant: Hashable, Sendable {
        var entitlement: EntitlementID
        var product: ProductID
        var expiresAt: Instant?
    }
}

extension UserCase {
    /// One for each row based on such a receipt, or one without a grant: also for a receipt that is
    /// not verified or is stored for another app, because its other users must count it.
    var receiptSightings: [ReceiptSighting] {
        guard catalog.hasPaidApps, !evidence.isUnclaimed else { return [] }
        return evidence.receipts.flatMap { receipt -> [ReceiptSighting] in
            let sighting = ReceiptSighting(
                user: evidence.user, receipt: receipt.id, bundle: receipt.bundle)
            guard let verified = receipt.verified else {
                return catalog.wasPaidFor(receipt.bundle) ? [sighting] : []
            }
            guard verified.isRightGiving else {
                return catalog.wasPaidFor(verified.receipt.bundle) ? [sighting] : []
            }
            let rulings = receipt.answers.compactMap { Grandfathering.ruling(by: $0, catalog) }
            guard let ruling = rulings.first(where: { $0.payment == .paid }) else { return [] }
            let rows = rowsForPaidApp(of: catalog.right(of: ruling.premium))
            guard !rows.isEmpty else { return [sighting] }
            return rows.map { row in
                var granted = sighting
                granted.grant = ReceiptSighting.Grant(
                    entitlement: row.id, product: row.product, expiresAt: row.expiresAt)
                return granted
            }
        }
    }

    private func rowsForPaidApp(of right: Right) -> [StoredEntitlement] {
        evidence.entitlements.filter { row in
            row.source == .legacyPaid && isGranted(row) && !isInFlux(row)
                && catalog.right(of: row.product) == right
        }
    }
}
