extension FindingKind {
    static let freemiumUndecidable = FindingKind(
        "freemium_undecidable", .low, .none, in: .mismatches, action: .investigate,
        remedy: "the catalogue says until when the app was paid for (paid_until), or the row "
            + "no longer grants")
}

extension RowRule {
    static let freemiumUndecidable = RowRule(
        .freemiumUndecidable, of: .grantedRow,
        when: "the row grants for a paid app, and no receipt shows whether it was paid",
        isAboutPaidApps: true, cause: CauseTime.never,
        matches: { $0.isGrantedForPaidApp && $0.paidApp?.payment == .undecidable },
        sentence: { rowCase in
            "\(rowCase.serviceSide), as paid for before the app became free,".capitalizedFirst
                + " but \(rowCase.paidAppFacts): it cannot be decided whether the user paid."
        })
}

extension RowCase {
    var paidAppFacts: String {
        paidApp?.facts ?? "no receipt shows when the user first got the app"
    }
}
