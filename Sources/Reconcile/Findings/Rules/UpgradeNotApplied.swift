extension FindingKind {
    static let upgradeNotApplied = FindingKind(
        "upgrade_not_applied", .medium, .owed, in: .mismatches, action: .changeProduct,
        isFoundOffline: true)
}

extension RowRule {
    static let upgradeNotApplied = RowRule(
        .upgradeNotApplied, of: .grantedRow,
        when: "both grant, and Apple's product is of a higher level",
        cause: CauseTime.bought,
        matches: { rowCase in
            // Level 1 is the highest.
            rowCase.grantsOtherProduct && rowCase.levels.map { $0.bought < $0.granted } ?? false
        },
        isUndoneOffline: { $0.bothGrant && $0.row?.product == $0.best?.product },
        sentence: { $0.sentence($0.levelsInWords) })
}

extension RowCase {
    var levelsInWords: String {
        guard let levels else {
            return "the two are different products, and the catalogue does not say which of them"
                + " gives more"
        }
        guard levels.granted != levels.bought else {
            return "the two are different products, of one service level (\(levels.granted))"
        }
        return "service level \(levels.bought) was bought and level \(levels.granted) is granted,"
            + " 1 being the highest"
    }
}
