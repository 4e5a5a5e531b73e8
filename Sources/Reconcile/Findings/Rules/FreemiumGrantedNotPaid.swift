extension FindingKind {
    static let freemiumGrantedNotPaid = FindingKind(
        "freemium_granted_not_paid", .medium, .leak, in: .mismatches, action: .revoke)
}

extension RowRule {
    static let freemiumGrantedNotPaid = RowRule(
        .freemiumGrantedNotPaid, of: .grantedRow,
        when: "the row grants for a paid app, and the app was got when it was free",
        isAboutPaidApps: true, cause: CauseTime.row,
        matches: { $0.isGrantedForPaidApp && $0.paidApp?.payment == .notPaid },
        sentence: { rowCase in
            let changed = rowCase.row.map { " (last changed \($0.updatedAt))" } ?? ""
            let service = "\(rowCase.serviceSide), as paid for before the app became free"
            return "\(service)\(changed),".capitalizedFirst
                + " but \(rowCase.paidAppFacts), and no purchase of"
                + " \(rowCase.paidApp?.premium.text ?? "it") replaces it:"
                + " who came later did not pay for it."
        })
}
