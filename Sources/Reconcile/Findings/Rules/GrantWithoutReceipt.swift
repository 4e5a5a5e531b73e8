extension FindingKind {
    static let grantWithoutReceipt = FindingKind(
        "grant_without_receipt", .medium, .none, in: .mismatches, action: .investigate,
        isFoundOffline: true,
        remedy: "a receipt that gives the right is stored for the user, or the row no longer grants"
    )
}

extension RowRule {
    static let grantWithoutReceipt = RowRule(
        .grantWithoutReceipt, of: .grantedRow,
        when: "the row grants, and no receipt of the user is on file",
        cause: CauseTime.row,
        matches: { $0.isGrantedWithoutGrantor && $0.user.hasNoReceipt },
        isUndone: { !$0.user.hasNoReceipt },
        sentence: {
            "\($0.changedServiceSide), but no receipt of this user is on file:"
                + " nothing proves the purchase, and nothing disproves it."
        })
}
