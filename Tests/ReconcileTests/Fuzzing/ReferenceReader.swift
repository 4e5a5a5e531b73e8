import Foundation

@testable import Reconcile

/// A second, independent implementation of how answers are read, over Foundation's JSON tree: slow
/// and plain. Two readings that agree on millions of answers are unlikely to share a mistake.
/// Numbers must be whole: Foundation does not keep the spelling of others.
struct ReferenceReader {
    typealias Line = [String: Any]

    private var anomalies: [ParseAnomaly] = []
    /// The ids that a list has twice with different content.
    private var contradictory: Set<String> = []

    static func receipt(_ bytes: [UInt8], from server: StoreEnvironment) throws -> Receipt? {
        let tree = try JSONSerialization.jsonObject(with: Data(bytes)) as? Line
        var reader = ReferenceReader()
        return reader.receipt(tree ?? [:], from: server)
    }

    private mutating func receipt(_ tree: Line, from server: StoreEnvironment) -> Receipt? {
        guard let status = text(tree["status"]).flatMap({ Int($0) }), [0, 21006].contains(status),
            let own = tree["receipt"] as? Line,
            let bundle = text(own["bundle_id"]) ?? text(own["bid"])
        else { return nil }
        let isIOS6 = text(own["bundle_id"]) == nil && own["in_app"] == nil
        let named = text(tree["environment"]).flatMap { StoreEnvironment(rawValue: $0) }
        var receipt = Receipt(
            tellsPurchaseOfApp: !isIOS6, bundle: BundleID(bundle),
            environment: named ?? server)
        if !isIOS6 {
            receipt.createdAt = date("receipt_creation_date", own).instant
            receipt.requestedAt = date("request_date", own).instant
            receipt.originalPurchaseAt = date("original_purchase_date", own).instant
            receipt.originalApplicationVersion = text(own["original_application_version"])
        }
        let inApp = lines("in_app", own)
        let first = byID(isIOS6 ? [own] : inApp)
        let second = byID(
            lines("latest_receipt_info", tree) + lines("latest_expired_receipt_info", tree))
        let renewalLines = lines("pending_renewal_info", tree)
        anomalies += contradictory.map {
            ParseAnomaly(key: "transaction_id twice", transaction: TransactionID($0))
        }
        let merged = first.merging(second) { old, new in
            old.merging(new) { old, new in isOdd(new) && !isBoolean(new) ? old : new }
        }
        for (id, line) in merged where !contradictory.contains(id) {
            add(line, TransactionID(id), isInLatest: second[id] != nil, to: &receipt)
        }
        receipt.renewals = renewals(renewalLines, tree, receipt)
        receipt.anomalies = anomalies
        return receipt.sorted
    }

    private mutating func add(
        _ line: Line, _ id: TransactionID, isInLatest: Bool, to receipt: inout Receipt
    ) {
        let purchase = date("purchase_date", line).instant
        let expiry = date("expires_date", line)
        let cancellation = date("cancellation_date", line)
        let product = text(line["product_id"])
        let missing = [
            ("product_id", product == nil), ("purchase_date", purchase == nil),
            ("expires_date", expiry.isUnreadable), ("cancellation_date", cancellation.isUnreadable),
        ].first { $0.1 }
        guard missing == nil, let purchase, let product else {
            anomalies.append(ParseAnomaly(key: missing?.0 ?? "", transaction: id))
            return
        }
        receipt.transactions.append(
            Transaction(
                id: id, originalID: text(line["original_transaction_id"]).map { .init($0) } ?? id,
                product: ProductID(product), purchasedAt: purchase,
                originallyPurchasedAt: expiry.instant == nil
                    ? date("original_purchase_date", line).instant : nil,
                expiresAt: expiry.instant,
                cancelledAt: cancellation.instant,
                cancellationReason: text(line["cancellation_reason"]),
                isUpgraded: flag(line["is_upgraded"]) ?? false,
                isTrial: flag(line["is_trial_period"]) ?? false,
                isIntroductoryOffer: flag(line["is_in_intro_offer_period"]) ?? false,
                promotionalOffer: text(line["promotional_offer_id"]),
                offerCode: text(line["offer_code_ref_name"]),
                ownership: text(line["in_app_ownership_type"]).flatMap { Ownership(rawValue: $0) },
                isOwnershipUnknown: text(line["in_app_ownership_type"])
                    .map { Ownership(rawValue: $0) == nil } ?? false,
                lineItem: text(line["web_order_line_item_id"]).map { LineItemID($0) },
                quantity: text(line["quantity"]).flatMap { Int($0) }.map { max(1, $0) } ?? 1,
                isInLatest: isInLatest))
    }

    private mutating func lines(_ key: String, _ parent: Line) -> [Line] {
        let value = parent[key].flatMap { $0 is NSNull || $0 as? String == "" ? nil : $0 }
        let elements = value as? [Any] ?? value.map { [$0] } ?? []
        let lines = elements.compactMap { $0 as? Line }
        for _ in lines.count..<elements.count { anomalies.append(ParseAnomaly(key: key)) }
        return lines
    }

    /// The lines of one list by id, each with its meaningful values only.
    private mutating func byID(_ lines: [Line]) -> [String: Line] {
        var byID: [String: Line] = [:]
        for line in lines {
            guard let id = text(line["transaction_id"]) else {
                anomalies.append(ParseAnomaly(key: "transaction_id"))
                continue
            }
            let line = meaningful(line)
            if let known = byID[id], content(known) != content(line) { contradictory.insert(id) }
            if byID[id] == nil { byID[id] = line }
        }
        return byID
    }

    private func meaningful(_ line: Line) -> Line {
        var result: Line = [:]
        for (key, value) in line {
            // A value that cannot be a date compares equal in any form, and a flag in any spelling.
            let isDate = ["_date", "_date_ms", "_formatted"].contains(where: key.hasSuffix)
            let odd: Any? = isDate && isOdd(value) ? [String]() : nil
            result[key] = key.hasPrefix("is_") ? flag(value) : text(value) ?? odd
        }
        return result
    }

    private func content(_ line: Line) -> [String: String] {
        line.filter { Self.keys.contains($0.key) }.mapValues { "\($0)" }
    }

    private static let keys = Set(
        """
        product_id original_transaction_id purchase_date purchase_date_ms expires_date \
        expires_date_ms expires_date_formatted original_purchase_date \
        original_purchase_date_ms cancellation_date cancellation_date_ms \
        cancellation_reason is_upgraded is_trial_period is_in_intro_offer_period \
        promotional_offer_id offer_code_ref_name in_app_ownership_type web_order_line_item_id \
        quantity
        """.split(separator: " ").map(String.init))

    private func renewals(_ lines: [Line], _ tree: Line, _ receipt: Receipt) -> [Renewal] {
        var named: [TransactionID: Renewal] = [:]
        var unnamed: [TransactionID: Renewal] = [:]
        for line in lines {
            if let id = text(line["original_transaction_id"]).map({ TransactionID($0) }) {
                named.merge([id: renewal(line, id)]) { $0.merged(with: $1) }
            } else if let product = text(line["product_id"]) ?? text(line["auto_renew_product_id"]),
                let chain = lastChain(receipt.transactions.filter { $0.product.text == product })
            {
                unnamed.merge([chain: renewal(line, chain)]) { $0.merged(with: $1) }
            }
        }
        let top = renewal(tree, "")
        let hasRenewal = top.willRenew != nil || top.renewsAs != nil || top.expirationIntent != nil
        let retry = flag(tree["is_in_billing_retry_period"])
        if !receipt.tellsPurchaseOfApp, hasRenewal || retry != nil {
            let product = text(tree["product_id"]) ?? text(tree["auto_renew_product_id"])
            let own = receipt.transactions.filter { $0.product.text == product }
            let chain = lastChain(own) ?? lastChain(receipt.transactions)
            unnamed = chain.map { [$0: renewal(tree, $0)] } ?? [:]
        }
        return Array(named.merging(unnamed) { named, _ in named }.values)
    }

    private func lastChain(_ transactions: [Transaction]) -> TransactionID? {
        let last = transactions.compactMap(\.expiresAt).max()
        return transactions.filter { last != nil && $0.expiresAt == last }.map(\.originalID)
            .max { $0.isNumericallyLess(than: $1) }
    }

    private func renewal(_ line: Line, _ chain: TransactionID) -> Renewal {
        Renewal(
            originalID: chain, willRenew: flag(line["auto_renew_status"]),
            renewsAs: text(line["auto_renew_product_id"]).map { ProductID($0) },
            expirationIntent: text(line["expiration_intent"]).flatMap { Int($0) }
                .map(ExpirationIntent.init(code:)),
            isInBillingRetry: flag(line["is_in_billing_retry_period"]) ?? false,
            gracePeriodExpiresAt: date("grace_period_expires_date", line).instant)
    }

    private func date(_ name: String, _ line: Line) -> (instant: Instant?, isUnreadable: Bool) {
        let values = [name + "_ms", name, name + "_formatted"].map { line[$0] }
        let number = text(values[0]).flatMap { AppleTimestamp.instant(milliseconds: $0.utf8) }
        let texts = values.dropFirst().compactMap(text)
        let instant = number ?? texts.compactMap { AppleTimestamp.instant(text: $0.utf8) }.first
        let isGiven = values.compactMap(\.self).contains { text($0) != nil || isOdd($0) }
        return (instant, instant == nil && isGiven)
    }

    /// A non-empty string, or a number.
    private func text(_ value: Any?) -> String? {
        if let text = value as? String { return text.isEmpty ? nil : text }
        guard let value, !isBoolean(value) else { return nil }
        return (value as? NSNumber)?.stringValue
    }

    private func flag(_ value: Any?) -> Bool? {
        guard let value else { return nil }
        if isBoolean(value) { return value as? Bool }
        return ["true": true, "1": true, "false": false, "0": false][text(value) ?? ""]
    }

    /// A value that cannot be a date.
    private func isOdd(_ value: Any) -> Bool { isBoolean(value) || value is [Any] || value is Line }

    /// An NSNumber of 0 or 1 converts to Bool; only a JSON boolean has the C type char.
    private func isBoolean(_ value: Any) -> Bool {
        (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? (value is Bool)
    }
}

extension Receipt {
    /// The lists in one fixed order, since their order in a receipt has no meaning.
    var sorted: Receipt {
        var result = self
        result.transactions.sort { $0.id < $1.id }
        result.renewals.sort { $0.originalID < $1.originalID }
        result.anomalies.sort {
            ($0.key, $0.transaction?.text ?? "") < ($1.key, $1.transaction?.text ?? "")
        }
        return result
    }
}
