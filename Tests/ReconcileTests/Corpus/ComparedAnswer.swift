import Foundation

@testable import Reconcile

struct ComparedAnswer {
    /// Why the expected reading and ours may differ.
    enum ExceptionRule {
        /// The status has no valid receipt, so none is read, whatever else the answer holds.
        case statusOfNoReceipt
        /// One list has a transaction twice, which Apple does not send: we ignore unequal ones.
        case transactionTwice
        /// The answer was made anonymous: zeros as milliseconds, which we prefer, but not as text.
        case zeroMilliseconds
        /// iOS 6, or an entry without a chain: the expected reading applies it to every chain.
        case renewalOfNoChain
        /// The answer was edited: a cancellation's text and milliseconds, which we prefer, differ.
        case cancellationContradictsItself
        /// iOS 6: the expected reading leaves `latest_expired_receipt_info` out.
        case latestExpired
    }

    private let corpus: Corpus
    private let answer: VerifyReceiptAnswer
    private(set) var rules: Set<ExceptionRule> = []
    private var row = Corpus.Expectation(cells: [:])
    /// The answer's creation date in milliseconds, where they are not those of its own text: the
    /// expected reading takes the text, which has whole seconds, and we the milliseconds.
    private var creationUnlikeText: String?
    /// Each difference as the column, the expected value, and ours.
    private(set) var found: [String] = []

    init(_ bytes: [UInt8], of corpus: Corpus) throws {
        self.corpus = corpus
        answer = try VerifyReceiptAnswer.read(bytes, from: .production)
        guard let receipt = answer.receipt else {
            rules = [.statusOfNoReceipt]
            return
        }
        let text = Data(bytes.drop { $0 != UInt8(ascii: "{") })
        let whole = try JSONSerialization.jsonObject(with: text) as? [String: Any] ?? [:]
        let own = whole["receipt"] as? [String: Any]
        if let created = own?["receipt_creation_date_ms"] as? String,
            let text = own?["receipt_creation_date"] as? String
        {
            let instant = AppleTimestamp.instant(
                text: text.replacing("Etc/Gmt", with: "Etc/GMT").utf8)
            let differs = instant.map { String($0.milliseconds) != created } ?? false
            creationUnlikeText = differs ? created : nil
        }
        if whole["latest_expired_receipt_info"] != nil { rules.insert(.latestExpired) }
        for list in [own?["in_app"], whole["latest_receipt_info"]] {
            let lines = list as? [[String: Any]] ?? []
            let contradicts = lines.contains { line in
                guard let text = line["cancellation_date"] as? String,
                    let milliseconds = line["cancellation_date_ms"] as? String
                else { return false }
                let instant = AppleTimestamp.instant(text: text.utf8)
                return instant.map { String($0.milliseconds) } != milliseconds
            }
            if contradicts { rules.insert(.cancellationContradictsItself) }
            let ids = lines.compactMap { $0["transaction_id"].map { "\($0)" } }
            if Set(ids).count < ids.count { rules.insert(.transactionTwice) }
        }
        if bytes.firstRange(of: Array("_ms\": \"0000000000000\"".utf8)) != nil {
            rules.insert(.zeroMilliseconds)
        }
        let entries = whole["pending_renewal_info"] as? [[String: Any]] ?? []
        let namesAll = entries.allSatisfy { $0["original_transaction_id"] != nil }
        let chains = Set(receipt.transactions.map(\.originalID))
        if !receipt.tellsPurchaseOfApp || !namesAll, chains.count > 1 {
            rules.insert(.renewalOfNoChain)
        }
    }

    /// - Parameter rows: all rows `response-item` of the answer.
    mutating func compare(with row: Corpus.Expectation, of rows: [Corpus.Expectation]) {
        self.row = row
        compare("status", answer.status.rawValue)
        guard let receipt = answer.receipt else { return }
        compare("bundle_id", receipt.bundle.text)
        // Any other word is that of the server that answered.
        if ["Production", "Sandbox"].contains(row["environment"]) {
            compare("environment", receipt.environment.rawValue)
        }
        guard row["row"] == "response-item" else { return compareWhole(receipt) }
        let chain = TransactionID(row["original_transaction_id"])
        let own = receipt.transactions.filter {
            $0.originalID == chain && $0.product.text == row["product_id"]
        }
        if rules.isDisjoint(with: [.transactionTwice, .latestExpired]) { compareTransactions(own) }
        let renewalRow = rows.first {
            $0["original_transaction_id"] == chain.text && !$0["auto_renew_status"].isEmpty
        }
        guard let renewalRow, !rules.contains(.renewalOfNoChain) else { return }
        self.row = renewalRow
        compareRenewal(receipt.renewals.first { $0.originalID == chain })
    }

    private mutating func compareWhole(_ receipt: Receipt) {
        compare("original_app_version", receipt.originalApplicationVersion)
        if !rules.contains(.latestExpired) {
            compare("n_transactions", receipt.transactions.count, unless: .transactionTwice)
        }
        // Only the fixtures have this column.
        if row.cells["malformed"] != nil {
            compare("malformed", receipt.anomalies.map(\.key).sorted().joined(separator: " "))
        }
        compare("request_date_ms", receipt.requestedAt?.milliseconds, unless: .zeroMilliseconds)
        // One answer writes the zone in another case.
        let text = row["creation_date"].replacing("Etc/Gmt", with: "Etc/GMT")
        let created = AppleTimestamp.instant(text: text.utf8)
        let expected = created.map { String($0.milliseconds) } ?? text
        compare(
            "creation_date", is: creationUnlikeText ?? expected, receipt.createdAt?.milliseconds,
            unless: .zeroMilliseconds)
    }

    private mutating func compareTransactions(_ own: [Transaction]) {
        compare("n_transactions", own.count)
        func period(_ line: Transaction) -> (Instant, Instant) {
            (line.expiresAt ?? .distantPast, line.purchasedAt)
        }
        let order = own.sorted { period($0) > period($1) }
        // Of several transactions with the same start and end, one is expected.
        let latest = order.prefix { period($0) == period(order[0]) }
        guard let one = latest.first(where: { $0.id.text == row["latest_transaction_id"] }) else {
            return compare("latest_transaction_id", latest.first?.id.text)
        }
        compare("last_purchase_date_ms", one.purchasedAt.milliseconds, unless: .zeroMilliseconds)
        compare("last_expires_date_ms", one.expiresAt?.milliseconds)
        // The column has every cancellation; that of an upgraded line is no refund.
        compare("refunded", one.cancelledAt == nil ? "no" : "yes")
        compare("n_refunded_tx", own.count { $0.cancelledAt != nil })
        compare(
            "cancellation_date_ms", own.compactMap(\.cancelledAt).max()?.milliseconds,
            unless: .cancellationContradictsItself)
        compareIfNamed("cancellation_reason", one.cancellationReason)
        compareIfNamed("is_trial", one.isTrial)
        compareIfNamed("is_intro", one.isIntroductoryOffer)
        compare("ever_trial", own.contains(where: \.isTrial) ? "yes" : "no")
        compare("upgraded", own.contains(where: \.isUpgraded) ? "yes" : "no")
        compare("promo_offer_id", one.promotionalOffer)
        compare("offer_code", one.offerCode)
        compare("ownership", one.ownership?.rawValue)
        let ends = own.filter { $0.cancelledAt == nil && !$0.isUpgraded }.compactMap(\.expiresAt)
        if row["entitled_until_ms"].isEmpty || row["entitled_until_ms"] != row["grace_expires_ms"] {
            compare("entitled_until_ms", ends.max()?.milliseconds)
        }
    }

    private mutating func compareRenewal(_ renewal: Renewal?) {
        compare("auto_renew_status", renewal?.willRenew.map { $0 ? 1 : 0 })
        compareIfNamed("auto_renew_product_id", renewal?.renewsAs?.text)
        compareIfNamed("billing_retry", renewal?.isInBillingRetry == true ? 1 : 0)
        compareIfNamed("grace_expires_ms", renewal?.gracePeriodExpiresAt?.milliseconds)
        if let code = Int(row["expiration_intent"]) {
            let expected = ExpirationIntent(code: code).rawValue
            compare("expiration_intent", is: expected, renewal?.expirationIntent?.rawValue)
        }
    }

    /// An empty cell for a flag or an environment means only that the key is missing.
    private mutating func compareIfNamed(_ column: String, _ own: (some CustomStringConvertible)?) {
        if !row[column].isEmpty { compare(column, own) }
    }

    private mutating func compare(
        _ column: String, is value: String? = nil, _ own: (some CustomStringConvertible)?,
        unless rule: ExceptionRule? = nil
    ) {
        let expected = value ?? row[column]
        let read = own.map { "\($0)" } ?? ""
        guard expected != read, rule.map(rules.contains) != true, corpus.knows(column, of: row)
        else { return }
        found.append("\(column) is `\(expected)`, read `\(read)`")
    }
}
