extension FindingKind {
    static let wrongAppReceipt = FindingKind(
        "wrong_app_receipt", .critical, .leak, in: .mismatches, action: .revoke, money: .exposure,
        remedy: "the receipt is stored for the app that Apple names, or the row no longer grants")
}

extension RowRule {
    static let wrongAppReceipt = RowRule(
        .wrongAppReceipt, of: .grantedRow,
        when: "the row grants, and only an answer for another app shows the product",
        cause: CauseTime.row,
        matches: {
            $0.isGrantedWithoutGrantor && $0.user.purchaseInOtherApp(of: $0.right) != nil
        },
        sentence: { rowCase in
            guard let other = rowCase.user.purchaseInOtherApp(of: rowCase.right) else {
                return "\(rowCase.changedServiceSide), but no receipt for this app gives it."
            }
            return "\(rowCase.changedServiceSide), but no receipt gives it, and \(other.named), a"
                + " purchase of it or of its subscription group, is in receipt"
                + " \(other.source.id), which Apple says is for \(other.source.receipt.bundle) and"
                + " not for \(other.source.storedBundle), for which it is stored."
        })
}
