/// The sentence of a finding for which no purchase speaks: nothing of Apple's gives the right, or
/// only the version at which the customer first got the app.
extension Account {
    func explanationWithoutGrantor(_ kind: FindingKind, _ row: StoredEntitlement) -> String {
        let service = "\(serviceSide(row)) (last changed \(row.updatedAt))".capitalizedFirst
        let right = catalog.right(of: row.product)
        switch (kind, purchasesInOtherApps[right], purchasesInSandbox[right]) {
        case (.grantWithoutReceipt, _, _):
            return "\(service), but no receipt of this user is on file:"
                + " nothing proves the purchase, and nothing disproves it."
        case (.wrongAppReceipt, let other?, _):
            return "\(service), but no receipt gives it, and \(other.named), a purchase of it or of"
                + " its subscription group, stands in receipt \(other.source.id), which Apple says"
                + " is for \(other.source.receipt.bundle) and not for \(other.source.storedBundle),"
                + " for which it is stored."
        case (.sandboxGrantsProduction, _, let test?):
            return "\(service), but no receipt gives it, and \(test.named), a purchase of it or of"
                + " its subscription group in receipt \(test.source.id), is a test purchase in"
                + " Apple's sandbox, for which nobody paid."
        case (.sandboxGrantsProduction, _, nil):
            return
                "\(service), but no receipt gives it, and receipt \(xcodeReceipt?.text ?? "") was"
                + " made by Xcode's StoreKit testing, where nobody pays."
        default:
            let (stored, verified) = (
                evidence.receipts.count, evidence.receipts.count { $0.verified != nil }
            )
            guard verified > 0 else {
                return "\(service), but nothing on file gives it: Apple verified no receipt of the"
                    + " \(stored) that the user has on file."
            }
            return "\(service), but nothing on file gives it: Apple verified \(verified) of the"
                + " \(stored) receipt\(stored == 1 ? "" : "s") that the user has on file, and"
                + " \(purchasesWithoutRight(right))."
        }
    }

    /// What right-giving answers show of a right that nothing in them gives.
    private func purchasesWithoutRight(_ right: Right) -> String {
        let idle = purchases.all.filter { catalog.right(of: $0.product) == right }
        guard let first = idle.first else {
            return "no purchase that they show up to \(settings.asOf) is of it or of its"
                + " subscription group"
        }
        let why =
            first.isUpgraded
            ? "was upgraded" : first.expiresAt == nil ? "has no expiry" : "gives no right"
        return "of the purchases that they show up to \(settings.asOf) those of it, or of its"
            + " subscription group, give no right: \(first.named), which \(why)"
            + (idle.count > 1 ? ", and \(idle.count - 1) more" : "")
    }

    /// - Parameters:
    ///   - premium: the product that who paid for the app has for ever.
    ///   - row: nil where the service has none.
    func explanationByVersion(
        _ kind: FindingKind, of premium: ProductID, row: StoredEntitlement?
    ) -> String {
        guard let ruling = grandfathering.ruling(on: premium) else { return kind.rawValue }
        let facts = ruling.facts(isOffline: isOffline)
        let service =
            row.map(serviceSide) ?? serviceSide(without: catalog.right(of: premium))
        switch kind {
        case .freemiumUndecidable:
            return "\(service), as paid for before the app became free,".capitalizedFirst
                + " but \(facts): nobody can tell whether the user paid."
        case .freemiumGrantedNotPaid:
            let changed = row.map { " (last changed \($0.updatedAt))" } ?? ""
            return "\(service), as paid for before the app became free\(changed),".capitalizedFirst
                + " but \(facts), and no purchase of \(premium) stands in its place:"
                + " who came later did not pay for it."
        default:
            return "\(facts), which gives \(premium) for ever,".capitalizedFirst
                + " but \(service) and no other entitlement of the user covers it."
        }
    }
}

extension Grandfathering.Ruling {
    /// When the customer first got the app, or why nobody knows.
    fileprivate func facts(isOffline: Bool) -> String {
        let answer =
            isOffline
            ? "the signed receipt \(source.id)" : "Apple's answer to receipt \(source.id)"
        let lastPaid = "the last version that had to be paid for, \"\(app.lastPaidVersion ?? "")\""
        let version = source.receipt.originalApplicationVersion
        let until = app.paidUntil?.description ?? ""
        let bought = source.receipt.originalPurchaseAt
        switch verdict {
        case .undecidable:
            let shown =
                version.map { "the original version \"\($0)\", which cannot be compared with" }
                ?? "no original version to compare with"
            let day =
                app.paidUntil == nil
                ? "the catalogue names no day on which \(app.bundle) became free"
                : "the \(isOffline ? "receipt" : "answer") has no original purchase date"
                    + (version == nil ? " either" : "")
            return "\(answer) has \(shown) \(lastPaid), and \(day)"
        case .paid, .notPaid:
            guard isByDate else {
                let relation = verdict == .paid ? "not later" : "later"
                return "by \(answer) the user first got \(app.bundle) at version"
                    + " \"\(version ?? "")\", \(relation) than \(lastPaid)"
            }
            let relation = verdict == .paid ? "before" : "not before"
            return "by \(answer) the user first got \(app.bundle) at"
                + " \(bought?.description ?? ""), \(relation) it became free at \(until)"
        }
    }
}
