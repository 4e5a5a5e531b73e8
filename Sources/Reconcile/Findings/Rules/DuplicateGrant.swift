extension FindingKind {
    static let duplicateGrant = FindingKind(
        "duplicate_grant", .medium, .leak, in: .mismatches, action: .revoke)
}

extension RowRule {
    static let duplicateGrant = RowRule(
        .duplicateGrant, of: .grantedRow,
        when: "both grant, another product, and another row grants the product of Apple's",
        cause: CauseTime.bought,
        matches: { $0.grantsOtherProduct && $0.otherRowOfBest != nil },
        sentence: { rowCase in
            let other = rowCase.otherRowOfBest?.id.text ?? "another"
            let product = rowCase.best?.product.text ?? "it"
            return rowCase.sentence(
                "entitlement \(other) grants \(product) already, and one purchase gives one of the"
                    + " two")
        })
}
