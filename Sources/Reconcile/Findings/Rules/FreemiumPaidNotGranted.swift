extension FindingKind {
    static let freemiumPaidNotGranted = FindingKind(
        "freemium_paid_not_granted", .high, .owed, in: .mismatches, action: .restore,
        isFoundOffline: true)
}

extension RowRule {
    static let freemiumPaidNotGranted = RowRule(
        .freemiumPaidNotGranted, of: .owedRight,
        when: "the app was paid for, and the right that came with it is not granted",
        isAboutPaidApps: true, cause: CauseTime.never,
        matches: { $0.owed?.isForPaidApp ?? false },
        sentence: { rowCase in
            let premium = rowCase.owed?.product.text ?? "it"
            return "\(rowCase.paidAppFacts), which gives \(premium) without an end,"
                .capitalizedFirst
                + " but \(rowCase.serviceSide) and \(RowCase.uncovered)."
        })
}
