@testable import Reconcile

/// A difference between our reading of an answer and the expert's: the column, theirs, ours.
///
/// An empty cell for a flag or an environment means only that the key is missing.
struct AnswerDisagreement: CustomStringConvertible {
    let column: String
    let expected: String
    let read: String

    var description: String { "\(column) is `\(expected)`, read `\(read)`" }

    static func all(
        _ row: Corpus.Expectation, _ answer: VerifyReceiptAnswer,
        excepting rules: Set<ExceptionRule>
    ) -> [AnswerDisagreement] {
        var comparison = Comparison(row: row)
        comparison.compare("status", String(answer.status.rawValue))
        guard let receipt = answer.receipt else { return comparison.found }
        comparison.compare("bundle_id", receipt.bundle.text)
        comparison.compareIfNamed("environment", receipt.environment.rawValue)
        comparison.compare("original_app_version", receipt.originalApplicationVersion ?? "")
        if !rules.contains(.transactionTwice) {
            comparison.compare("n_transactions", String(receipt.transactions.count))
        }
        // Only the fixtures have this column.
        if row.cells["malformed"] != nil {
            let keys = receipt.anomalies.map(\.key).sorted()
            comparison.compare("malformed", keys.joined(separator: " "))
        }
        if !rules.contains(.zeroMilliseconds) {
            comparison.compare("request_date_ms", milliseconds(receipt.requestedAt))
            let created = AppleTimestamp.instant(text: row["creation_date"].utf8)
            comparison.compare(
                "creation_date", created.map(milliseconds) ?? row["creation_date"],
                milliseconds(receipt.createdAt))
        }
        return comparison.found
    }

    /// The differences of a row `response-item`: one chain and product. `rows` are all rows of the
    /// answer.
    static func all(
        _ row: Corpus.Expectation, of rows: [Corpus.Expectation], _ answer: VerifyReceiptAnswer,
        excepting rules: Set<ExceptionRule>
    ) -> [AnswerDisagreement] {
        var comparison = Comparison(row: row)
        comparison.compare("status", String(answer.status.rawValue))
        guard let receipt = answer.receipt else { return comparison.found }
        comparison.compare("bundle_id", receipt.bundle.text)
        comparison.compareIfNamed("environment", receipt.environment.rawValue)
        let chain = TransactionID(row["original_transaction_id"])
        if !rules.contains(.transactionTwice) {
            let own = receipt.transactions
                .filter { $0.originalID == chain && $0.product.text == row["product_id"] }
            comparison.compareTransactions(own, isZeroed: rules.contains(.zeroMilliseconds))
        }
        let renewalRow = rows.first {
            $0["original_transaction_id"] == chain.text && !$0["auto_renew_status"].isEmpty
        }
        if let renewalRow, !rules.contains(.renewalOfNoChain) {
            let renewal = receipt.renewals.first { $0.originalID == chain }
            var renewals = Comparison(row: renewalRow)
            renewals.compareRenewal(renewal)
            comparison.found += renewals.found
        }
        return comparison.found
    }

    fileprivate static func milliseconds(_ instant: Instant?) -> String {
        instant.map { String($0.milliseconds) } ?? ""
    }
}

private struct Comparison {
    let row: Corpus.Expectation
    var found: [AnswerDisagreement] = []

    mutating func compare(_ column: String, _ read: String) {
        compare(column, row[column], read)
    }

    mutating func compareIfNamed(_ column: String, _ read: String) {
        if !row[column].isEmpty { compare(column, row[column], read) }
    }

    mutating func compare(_ column: String, _ expected: String, _ read: String) {
        guard expected != read else { return }
        found.append(AnswerDisagreement(column: column, expected: expected, read: read))
    }

    mutating func compareTransactions(_ own: [Transaction], isZeroed: Bool) {
        compare("n_transactions", String(own.count))
        let order = own.sorted {
            ($0.expiresAt ?? .distantPast, $0.purchasedAt)
                > ($1.expiresAt ?? .distantPast, $1.purchasedAt)
        }
        // Of several transactions with the same start and end, the expert names one.
        let latest = order.prefix {
            ($0.expiresAt, $0.purchasedAt) == (order[0].expiresAt, order[0].purchasedAt)
        }
        guard let one = latest.first(where: { $0.id.text == row["latest_transaction_id"] }) else {
            return compare("latest_transaction_id", latest.first?.id.text ?? "")
        }
        let time = AnswerDisagreement.milliseconds
        if !isZeroed { compare("last_purchase_date_ms", time(one.purchasedAt)) }
        compare("last_expires_date_ms", time(one.expiresAt))
        // The column has every cancellation; that of an upgraded line is no refund (SPEC §4.2).
        compare("refunded", one.cancelledAt == nil ? "no" : "yes")
        compare("n_refunded_tx", String(own.count { $0.cancelledAt != nil }))
        compare("cancellation_date_ms", time(own.compactMap(\.cancelledAt).max()))
        compareIfNamed("cancellation_reason", one.cancellationReason ?? "")
        compareIfNamed("is_trial", String(one.isTrial))
        compareIfNamed("is_intro", String(one.isIntroductoryOffer))
        compare("ever_trial", own.contains(where: \.isTrial) ? "yes" : "no")
        compare("upgraded", own.contains(where: \.isUpgraded) ? "yes" : "no")
        compare("promo_offer_id", one.promotionalOffer ?? "")
        compare("offer_code", one.offerCode ?? "")
        compare("ownership", one.ownership?.rawValue ?? "")
        let ends = own.filter { $0.cancelledAt == nil && !$0.isUpgraded }.compactMap(\.expiresAt)
        let until = row.instant("entitled_until_ms")
        if until == nil || until != row.instant("grace_expires_ms") {
            compare("entitled_until_ms", time(ends.max()))
        }
    }

    mutating func compareRenewal(_ renewal: Renewal?) {
        compare("auto_renew_status", renewal?.willRenew.map { $0 ? "1" : "0" } ?? "")
        compareIfNamed("auto_renew_product_id", renewal?.renewsAs?.text ?? "")
        compareIfNamed("billing_retry", renewal?.isInBillingRetry == true ? "1" : "0")
        compareIfNamed(
            "grace_expires_ms",
            AnswerDisagreement.milliseconds(
                renewal?.gracePeriodExpiresAt))
        if let code = Int(row["expiration_intent"]) {
            compare(
                "expiration_intent", ExpirationIntent(code: code).rawValue,
                renewal?.expirationIntent?.rawValue ?? "")
        }
    }
}
