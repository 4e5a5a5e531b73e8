extension FindingKind {
    static let grantWithoutTransaction = FindingKind(
        "grant_without_transaction", .critical, .leak, in: .mismatches, action: .revoke,
        money: .exposure,
        remedy: "the row no longer grants, or a receipt that shows the purchase is stored for "
            + "the user")
}

extension RowRule {
    static let grantWithoutTransaction = RowRule(
        .grantWithoutTransaction, of: .grantedRow,
        when: "the row grants, and no purchase on file gives the right",
        cause: CauseTime.row,
        matches: { $0.isGrantedWithoutGrantor },
        sentence: { rowCase in
            let receipts = rowCase.user.evidence.receipts
            let verified = receipts.count { $0.verified != nil }
            let service = "\(rowCase.changedServiceSide), but nothing on file gives it"
            guard verified > 0 else {
                return "\(service): Apple verified no receipt of the \(receipts.count) that the"
                    + " user has on file."
            }
            return "\(service): Apple verified \(verified) of the \(receipts.count)"
                + " receipt\(receipts.count == 1 ? "" : "s") that the user has on file, and"
                + " \(rowCase.purchasesWithoutRight)."
        })
}

extension RowCase {
    fileprivate var purchasesWithoutRight: String {
        let asOf = user.settings.asOf
        let idle = user.purchases.all.filter { user.catalog.right(of: $0.product) == right }
        guard let first = idle.first else {
            return "no purchase that they show up to \(asOf) is of it or of its subscription group"
        }
        let why =
            first.isUpgraded
            ? "was upgraded" : first.expiresAt == nil ? "has no expiry" : "gives no right"
        return "of the purchases that they show up to \(asOf) those of it, or of its subscription"
            + " group, give no right: \(first.named), which \(why)"
            + (idle.count > 1 ? ", and \(idle.count - 1) more" : "")
    }
}
