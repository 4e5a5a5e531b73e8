import Foundation

@testable import Reconcile

/// A second, independent implementation of SPEC §3 over Foundation's JSON tree: slow and plain. Two
/// readings that agree on millions of answers are unlikely to share a mistake.
///
/// Numbers must be whole: Foundation does not keep the spelling of others.
struct ReferenceReader {
    typealias Line = [String: Any]

    private var malformedEntries: [String] = []

    /// Nil for an answer without a receipt.
    static func receipt(_ bytes: [UInt8], from server: StoreEnvironment) throws -> Receipt? {
        let tree = try JSONSerialization.jsonObject(with: Data(bytes)) as? Line ?? [:]
        var reader = ReferenceReader()
        return reader.receipt(tree, from: server)
    }

    private mutating func receipt(_ tree: Line, from server: StoreEnvironment) -> Receipt? {
        guard let status = text(tree["status"]).flatMap({ Int($0) }), [0, 21006].contains(status),
            let own = tree["receipt"] as? Line,
            let bundle = text(own["bundle_id"]) ?? text(own["bid"])
        else { return nil }
        let isIOS6 = text(own["bundle_id"]) == nil && own["in_app"] == nil
        var receipt = Receipt(
            style: isIOS6 ? .iOS6 : .modern, bundle: BundleID(bundle),
            environment: text(tree["environment"]).flatMap { StoreEnvironment(rawValue: $0) }
                ?? server)
        if !isIOS6 {
            receipt.createdAt = date("receipt_creation_date", own).instant
            receipt.requestedAt = date("request_date", own).instant
            receipt.originalPurchaseAt = date("original_purchase_date", own).instant
            receipt.originalApplicationVersion = text(own["original_application_version"])
        }
        let inApp = lines("in_app", own)
        let first = joined(isIOS6 ? [own] : inApp)
        let second = joined(
            lines("latest_receipt_info", tree) + lines("latest_expired_receipt_info", tree))
        let renewalLines = lines("pending_renewal_info", tree)
        receipt.anomalies = malformedEntries.map { ParseAnomaly(key: $0) }
        let contradictory = first.contradictory.union(second.contradictory)
        for id in contradictory {
            receipt.anomalies.append(
                ParseAnomaly(key: "transaction_id twice", transaction: TransactionID(id)))
        }
        var merged = first.byID
        for (id, line) in second.byID {
            merged[id] = (merged[id] ?? [:]).merging(line) { old, new in
                isOdd(new) && !isBoolean(new) ? old : new
            }
        }
        for _ in 0..<first.missingTransactionID + second.missingTransactionID {
            receipt.anomalies.append(ParseAnomaly(key: "transaction_id"))
        }
        for (id, line) in merged where !contradictory.contains(id) {
            add(line, id, isInLatest: second.byID[id] != nil, to: &receipt)
        }
        receipt.renewals = renewals(renewalLines, tree, receipt, isIOS6)
        return receipt.sorted
    }

    private func add(
        _ line: Line, _ id: String, isInLatest: Bool, to receipt: inout Receipt
    ) {
        let id = TransactionID(id)
        let purchase = date("purchase_date", line).instant
        let (expiry, cancellation) = (date("expires_date", line), date("cancellation_date", line))
        let missing: String? =
            if text(line["product_id"]) == nil {
                "product_id"
            } else if purchase == nil {
                "purchase_date"
            } else if expiry.isUnreadable {
                "expires_date"
            } else if cancellation.isUnreadable {
                "cancellation_date"
            } else {
                nil
            }
        guard missing == nil, let purchase, let product = text(line["product_id"]) else {
            receipt.anomalies.append(ParseAnomaly(key: missing ?? "", transaction: id))
            return
        }
        receipt.transactions.append(
            Transaction(
                id: id, originalID: text(line["original_transaction_id"]).map { .init($0) } ?? id,
                product: ProductID(product), purchasedAt: purchase, expiresAt: expiry.instant,
                cancelledAt: cancellation.instant,
                cancellationReason: text(line["cancellation_reason"]),
                isUpgraded: flag(line["is_upgraded"]) ?? false,
                isTrial: flag(line["is_trial_period"]) ?? false,
                isIntroductoryOffer: flag(line["is_in_intro_offer_period"]) ?? false,
                promotionalOffer: text(line["promotional_offer_id"]),
                offerCode: text(line["offer_code_ref_name"]),
                ownership: text(line["in_app_ownership_type"])
                    .flatMap { Ownership(rawValue: $0) },
                lineItem: text(line["web_order_line_item_id"]).map { LineItemID($0) },
                quantity: text(line["quantity"]).flatMap { Int($0) }.map { max(1, $0) } ?? 1,
                isInLatest: isInLatest))
    }

    private mutating func lines(_ key: String, _ parent: Line) -> [Line] {
        switch parent[key] {
        case let line as Line: return [line]
        case let elements as [Any]:
            return elements.compactMap { element in
                if let line = element as? Line { return line }
                malformedEntries.append(key)
                return nil
            }
        case nil, is NSNull: return []
        case let value:
            if value as? String != "" { malformedEntries.append(key) }
            return []
        }
    }

    /// The lines of one list by id, each with its meaningful values only; and the ids that the list
    /// has twice with different content.
    private func joined(
        _ lines: [Line]
    ) -> (byID: [String: Line], contradictory: Set<String>, missingTransactionID: Int) {
        var byID: [String: Line] = [:]
        var contradictory: Set<String> = []
        var missingTransactionID = 0
        for line in lines {
            guard let id = text(line["transaction_id"]) else {
                missingTransactionID += 1
                continue
            }
            let told = telling(line)
            if let known = byID[id], content(known) != content(told) { contradictory.insert(id) }
            if byID[id] == nil { byID[id] = told }
        }
        return (byID, contradictory, missingTransactionID)
    }

    private func telling(_ line: Line) -> Line {
        var result = line.filter { key, value in
            let isDate =
                key.hasSuffix("_date") || key.hasSuffix("_date_ms") || key.hasSuffix("_formatted")
            if key.hasPrefix("is_") { return flag(value) != nil }
            return text(value) != nil || isDate && isOdd(value)
        }
        for (key, value) in result {
            // A value that cannot be a date compares equal in any form, and a flag in any spelling.
            result[key] = key.hasPrefix("is_") ? flag(value) : text(value) ?? [String]()
        }
        return result
    }

    private func content(_ line: Line) -> [String: String] {
        line.filter { Self.keys.contains($0.key) }.mapValues { "\($0)" }
    }

    private static let keys: Set<String> = [
        "product_id", "original_transaction_id", "purchase_date", "purchase_date_ms",
        "expires_date", "expires_date_ms", "expires_date_formatted", "cancellation_date",
        "cancellation_date_ms", "cancellation_reason", "is_upgraded", "is_trial_period",
        "is_in_intro_offer_period", "promotional_offer_id", "offer_code_ref_name",
        "in_app_ownership_type", "web_order_line_item_id", "quantity",
    ]
}
