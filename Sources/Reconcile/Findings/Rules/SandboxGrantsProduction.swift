extension FindingKind {
    static let sandboxGrantsProduction = FindingKind(
        "sandbox_grants_production", .critical, .leak, in: .mismatches, action: .revoke,
        money: .exposure,
        remedy: "the row no longer grants, or a purchase in production gives the right")
}

extension RowRule {
    static let sandboxGrantsProduction = RowRule(
        .sandboxGrantsProduction, of: .grantedRow,
        when: "the row grants, and only the sandbox or an Xcode receipt shows it",
        cause: CauseTime.row,
        matches: { rowCase in
            rowCase.isGrantedWithoutGrantor
                && (rowCase.user.purchaseInSandbox(of: rowCase.right) != nil
                    || rowCase.user.xcodeReceipt != nil)
        },
        sentence: { rowCase in
            guard let test = rowCase.user.purchaseInSandbox(of: rowCase.right) else {
                return "\(rowCase.changedServiceSide), but no receipt gives it, and receipt"
                    + " \(rowCase.user.xcodeReceipt?.text ?? "") was made by Xcode's StoreKit"
                    + " testing, which takes no payment."
            }
            return "\(rowCase.changedServiceSide), but no receipt gives it, and \(test.named), a"
                + " purchase of it or of its subscription group in receipt \(test.source.id), is a"
                + " test purchase in Apple's sandbox, which takes no payment."
        })
}
