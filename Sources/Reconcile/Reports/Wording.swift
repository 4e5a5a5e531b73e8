extension FindingKind {
    /// For example `Refunded, still granted` for `refunded_still_granted`.
    var title: String {
        var text = rawValue
        for state in ["still_granted", "not_granted", "not_restored", "not_paid", "not_applied"] {
            text = text.replacing("_" + state, with: ", " + state)
        }
        text = text.replacing("_", with: " ").replacing(" is jws", with: " is a JWS")
            .replacing("xcode", with: "Xcode")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}

extension MoneyTally.Bucket {
    var title: String {
        switch self {
        case .leak: "Leak: granted and not paid for"
        case .owed: "Owed: paid for and not granted"
        case .refunded: "Refunded: told by this night"
        }
    }
}

extension AmountBasis {
    /// After the part of a sum.
    var words: String {
        switch self {
        case .recordedPrice: "at recorded prices"
        case .listPrice: "at list prices"
        }
    }
}

extension Estimate.NoAmount {
    var sentence: String {
        switch self {
        case .noPrice: "the catalogue has no usable price or period of the product"
        case .offerPeriod:
            "an introductory, promotional or offer-code period: its price is not known"
        case .noCause: "it is unknown since when"
        case .accepted: "accepted"
        case .countedElsewhere: "the amount is on another row of the same right or refund"
        }
    }
}

extension Summary {
    /// What a reader must know before the numbers, most severe first.
    var notices: [String] {
        var notices: [String] = []
        if status == .held {
            notices.append(
                Run.heldNotice + " Correct what the lines below say and run again"
                    + (run.isTrial
                        ? "."
                        : "; or, if the run is right, make it count: reconcile-job release"
                            + " \(run.id.text) --by WHO --why TEXT."))
        }
        notices += implausible.map(\.sentence)
        if status == .incomplete {
            notices.append(
                "\(receipts[.unverified].grouped) receipts could not be checked. What is not here"
                    + " may still be wrong.")
        }
        if run.isOffline { notices.append(Run.offlineNotice) }
        if !run.scope.isEverything { notices.append(Run.partialNotice) }
        if run.isTrial { notices.append(Run.trialNotice) }
        if let erasure {
            notices.append(
                "Written anew: \(erasure.sentence) left out of all files and sums of this folder."
                    + " ERASED.json says how many and how much.")
        }
        if let retirement = facts.retirement { notices.append(retirement.sentence) }
        return notices
    }
}

extension Run {
    static let partialNotice =
        "This is a partial run: its totals are not those of the night. It does not look for"
        + " shared_original_transaction and shared_receipt, which need a comparison of all users."

    static let heldNotice =
        "This run is held: it is implausible, and its findings do not count. Do not act on them."

    static let trialNotice =
        "This run is a trial: everything was judged, and later runs ignore it."

    static let offlineNotice =
        "Judged offline, by the signatures of the stored receipts alone: renewals, refunds and"
        + " expiries since each receipt was made are not known. Nothing was sent to Apple."
}

extension Summary {
    /// What a run without findings says of them.
    var nothingFound: String {
        if receipts.inScope == 0, entitlements.inScope == 0 {
            return "No findings: there are no receipts and no rows to judge."
        }
        return run.knowsLaterFacts
            ? "No findings: Apple and the service agree."
            : "No findings that receipts alone could show."
    }
}
