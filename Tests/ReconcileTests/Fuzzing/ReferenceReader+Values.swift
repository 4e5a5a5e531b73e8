import Foundation

@testable import Reconcile

extension ReferenceReader {
    func renewals(
        _ lines: [Line], _ tree: Line, _ receipt: Receipt, _ isIOS6: Bool
    ) -> [Renewal] {
        var named: [TransactionID: Renewal] = [:]
        var unnamed: [TransactionID: Renewal] = [:]
        func add(_ line: Line, _ chain: TransactionID, to renewals: inout [TransactionID: Renewal])
        {
            let renewal = renewal(line, chain)
            renewals[chain] = renewals[chain]?.merged(with: renewal) ?? renewal
        }
        for line in lines {
            if let id = text(line["original_transaction_id"]) {
                add(line, TransactionID(id), to: &named)
            } else if let product = text(line["product_id"]) {
                let chains = receipt.transactions.filter { $0.product.text == product }
                for chain in Set(chains.map(\.originalID)) { add(line, chain, to: &unnamed) }
            }
        }
        let top = renewal(tree, "")
        let isTopEmpty =
            top.willRenew == nil && top.renewsAs == nil && top.expirationIntent == nil
            && flag(tree["is_in_billing_retry_period"]) == nil
        if isIOS6, !isTopEmpty {
            unnamed = [:]
            for chain in Set(receipt.transactions.map(\.originalID)) {
                add(tree, chain, to: &unnamed)
            }
        }
        return Array(named.merging(unnamed) { named, _ in named }.values)
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

    struct ReadDate {
        var instant: Instant?
        var isUnreadable = false
    }

    func date(_ name: String, _ line: Line) -> ReadDate {
        if let text = text(line[name + "_ms"]),
            let instant = AppleTimestamp.instant(milliseconds: text.utf8)
        {
            return ReadDate(instant: instant)
        }
        for key in [name, name + "_formatted"] {
            if let text = text(line[key]), let instant = AppleTimestamp.instant(text: text.utf8) {
                return ReadDate(instant: instant)
            }
        }
        let values = [name + "_ms", name, name + "_formatted"].compactMap { line[$0] }
        return ReadDate(isUnreadable: values.contains { text($0) != nil || isOdd($0) })
    }

    /// A non-empty string, or a number.
    func text(_ value: Any?) -> String? {
        if let text = value as? String { return text.isEmpty ? nil : text }
        guard let value, !isBoolean(value), let number = value as? NSNumber else { return nil }
        return number.stringValue
    }

    func flag(_ value: Any?) -> Bool? {
        guard let value else { return nil }
        if isBoolean(value) { return value as? Bool }
        return switch text(value) {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// A value that cannot be a date.
    func isOdd(_ value: Any) -> Bool {
        isBoolean(value) || value is [Any] || value is Line
    }

    /// An NSNumber of 0 or 1 converts to Bool; only a JSON boolean has the C type char.
    func isBoolean(_ value: Any) -> Bool {
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
