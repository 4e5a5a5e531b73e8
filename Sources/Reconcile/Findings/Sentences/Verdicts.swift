extension JudgedRight {
    /// For a right without a finding: what the customer has, should have, and why.
    func sentence(asOf: Instant) -> String {
        let stored = row.map { $0.inWords(asOf: asOf) } ?? "no judged entitlement is about it"
        let shown =
            apple?.inWords ?? paidApp.map { $0.capitalizedFirst } ?? "Apple shows nothing of it"
        guard let cause else {
            let isGrantedElsewhere = isEntitled && row != nil && !isGranted(asOf: asOf)
            let why =
                isGrantedElsewhere
                ? "another row of the user grants it, or cannot be read and may" : "the two agree"
            return "\(shown), and \(stored): \(why)."
        }
        return "\(shown), and \(stored); \(cause.inWords)."
    }

    func isGranted(asOf: Instant) -> Bool { row?.isGranted(asOf: asOf) ?? false }

    var isEntitled: Bool { apple.map { [.active, .grace].contains($0.state) } ?? false }
}

extension NotReported.Cause {
    var inWords: String {
        switch self {
        case .recent:
            "it began less than --settle before, and is reported if it is still true later"
        case .changedAfterAsOf: "the row was changed after the instant that the run judges at"
        case .evidenceMissing:
            "a receipt that could speak for the user could not be checked or read, so that no"
                + " finding accuses the user"
        case .newerThanReceipts: "the row is newer than every receipt on file, which cannot show it"
        case .subscriptionUnknown:
            "the row names a subscription that no receipt shows, and is newer than they are"
        case .purchaseVanished:
            "a purchase of it that Apple showed before, and that still runs, is in no answer"
        case .datesUntrue: "the dates of what Apple shows of it cannot be true"
        case .paidVersionUndecidable: "no receipt shows whether the app was paid for"
        case .offline: "only later transactions could decide it, and the run was offline"
        case .source: "rows of this source are not judged"
        case .productUnknown: "the kind of the product is unknown"
        case .consumable: "consumables are not judged"
        case .accessDurationUnknown: "the catalogue has no access_duration for the product"
        case .noReceiptOfApp: "no receipt shows when the user first got the app"
        case .invalidRow: "a column of the stored row is null that must not be"
        case .unclaimed:
            "the receipt validation service stored the receipt without a user, so that nothing is"
                + " owed to anybody by it"
        }
    }
}

extension FindingKind {
    /// The rule's position in `RowRules` from 1, its condition, and the kinds before it; else nil.
    var ruleInWords: (number: Int, of: Int, when: String, before: [FindingKind])? {
        let all = RowRules.all
        guard let index = all.firstIndex(where: { $0.kind == self }) else { return nil }
        return (index + 1, all.count, all[index].when, all[..<index].map(\.kind))
    }
}

extension Finding {
    /// How to resolve the finding, effective from the next run: the rest of a sentence.
    var remedy: String { kind.ownRemedy ?? proposedAction.remedy(kind) }
}

extension ProposedAction {
    fileprivate func remedy(_ kind: FindingKind) -> String {
        switch self {
        case .revoke:
            "the row no longer grants (is_active false, or expires_at in the past), or Apple's"
                + " answers give the right"
        case .restore:
            "a row of the user grants the right, or Apple's answers no longer give it"
        case .extend: "the stored expiry is moved to the end that Apple shows"
        case .shorten: "the stored expiry is set to the end that Apple shows"
        case .changeProduct: "the row names the product that Apple shows"
        case .relabel: "the row's label is set to what Apple shows"
        case .refreshReceipt:
            "a receipt that verifyReceipt can read is stored in the place of this one"
        case .investigate:
            "the stored rows, the catalogue or the receipt are corrected, so that it is no"
                + " longer true; or an operator accepts it (reconcile-job accept)"
        case .none:
            kind.isEvent
                ? "nothing: an event is reported once" : "what it says is no longer true"
        }
    }
}
