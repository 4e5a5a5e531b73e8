extension FindingKind {
    static let productMismatch = FindingKind(
        "product_mismatch", .low, .none, in: .mismatches, action: .investigate,
        remedy: "the row names the product that Apple shows")
}

extension RowRule {
    static let productMismatch = RowRule(
        .productMismatch, of: .grantedRow,
        when: "both grant, and Apple's product is another",
        cause: CauseTime.bought,
        matches: { $0.grantsOtherProduct },
        sentence: { $0.sentence($0.levelsInWords) })
}
