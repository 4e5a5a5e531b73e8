extension FindingKind {
    static let downgradeNotApplied = FindingKind(
        "downgrade_not_applied", .medium, .leak, in: .mismatches, action: .changeProduct)
}

extension RowRule {
    static let downgradeNotApplied = RowRule(
        .downgradeNotApplied, of: .grantedRow,
        when: "both grant, and Apple's product is of a lower level",
        cause: CauseTime.bought,
        matches: { rowCase in
            rowCase.grantsOtherProduct && rowCase.levels.map { $0.bought > $0.granted } ?? false
        },
        sentence: { $0.sentence($0.levelsInWords) })
}
