/// The sentences of the second table: what happened, and what is wrong with a receipt.
extension Account {
    func explanation(of purchase: Purchase, cancelledAt: Instant) -> String {
        guard !isOffline else {
            return "Apple cancelled \(purchase.named) at \(cancelledAt), by a refund or since it is"
                + " no longer shared by the family, which a receipt does not tell apart."
        }
        return purchase.isFamilyShared
            ? "Apple withdrew the family sharing of \(purchase.named) at \(cancelledAt)."
            : "Apple refunded \(purchase.named) at \(cancelledAt)\(purchase.refundReason)."
    }

    func explanation(ofReversal purchase: Purchase, cancelledAt: Instant) -> String {
        let what = purchase.isFamilyShared ? "the family sharing withdrawn" : "a refund"
        return "Apple no longer shows \(what) of \(purchase.named), of \(cancelledAt), which an"
            + " earlier run reported: the purchase stands again."
    }

    func explanationOfExpiry(_ grantor: Grantor, endedAt: Instant) -> String {
        let what = grantor.kind == .autoRenewable ? "subscription" : "pass"
        return "The \(what) \(grantor.covering.named), of the original transaction"
            + " \(grantor.originalID), ended at \(endedAt)\(endReason(grantor))."
    }

    func explanation(_ kind: FindingKind, of evidence: ReceiptEvidence) -> String {
        let receipt = "receipt \(evidence.id), stored \(evidence.storedAt) for \(evidence.bundle),"
        switch (kind, evidence.validation) {
        case (.receiptForOtherApp, .verified(let answer)):
            let source = isOffline ? "By Apple's own signature" : "Apple says that"
            return "\(source) \(receipt) belongs to another app, \(answer.bundle):"
                + " it proves nothing for this one."
        case (.implausibleDates, .verified(let answer)):
            let odd = implausibleDates(in: answer)
            let sentence = odd?.sentence(in: answer, by: isOffline ? "the receipt" : "the answer")
            return "\(witness(receipt)) shows \(sentence ?? "odd dates"):"
                + " such dates should be looked into before anybody acts on them."
        case (.parseAnomaly, .verified(let answer)):
            return "\(witness(receipt)) holds \(answer.anomalies.summary): that was set"
                + " aside, the rest was judged, and nobody is accused of what it may have said."
        case (.receiptNotAuthentic, .rejected(.signature)) where isOffline:
            return "The signature of \(receipt) does not fit its own bytes: it was changed after it"
                + " was signed and proves no purchase."
        case (.receiptNotAuthentic, .rejected(.signature)):
            return
                "The signature of \(receipt) does not fit its own bytes, and Apple cannot read it"
                + " (status 21002): it was changed after it was signed and proves no purchase."
        case (.receiptNotAuthentic, _):
            return "Apple said twice (status 21003) that \(receipt) could not be authenticated:"
                + " it proves no purchase."
        case (.receiptAccountGone, _):
            return "Apple said twice that the account of \(receipt) is not found or was deleted"
                + " (status 21010): what it proved can no longer be checked."
        case (.receiptIsJWS, _):
            return "What is stored as \(receipt) is a StoreKit 2 signed transaction:"
                + " verifyReceipt cannot check it, the App Store Server API can."
        case (.receiptFromXcode, _):
            return "What is stored as \(receipt) was made by Xcode's StoreKit testing:"
                + " Apple does not know it and nobody paid."
        case (_, .unusable(.empty)):
            return "What is stored as \(receipt) is empty: ask the app to send its receipt again."
        default:
            return "What is stored as \(receipt) is not a receipt:"
                + " ask the app to send its receipt again."
        }
    }
}

extension [ParseAnomaly] {
    /// How many lines, and what is the matter with the first three, in an order of its own.
    fileprivate var summary: String {
        let named = Set(
            map { anomaly in
                "\"\(anomaly.key)\"" + (anomaly.transaction.map { " of transaction \($0)" } ?? "")
            })
        let first = named.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(3)
        return "\(count) \(count == 1 ? "line that is" : "lines that are") no transaction, for"
            + " what is missing or unreadable in \(first.joined(separator: ", "))"
            + (named.count > 3 ? " and more" : "")
    }
}
