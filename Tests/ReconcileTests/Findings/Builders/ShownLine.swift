@testable import Reconcile
@testable import TestSupport

/// A line of Apple's answer: a purchase, as `.pro(bought: -10)`, or what is known of a
/// subscription's renewal, as `.renewal(.grace(until: 5))`.
enum ShownLine: Sendable {
    case purchase(ShownPurchase)
    case renewal([RenewalFact], original: TransactionID)

    static func renewal(_ facts: RenewalFact..., original: TransactionID = "1") -> ShownLine {
        .renewal(facts, original: original)
    }
}

struct ShownPurchase: Sendable {
    let product: ProductID
    let bought: Double
    let until: Double?
    /// Nil: its number among the purchases of the answer.
    let id: TransactionID?
    /// Nil: 1 with an end, else its own id.
    let original: TransactionID?
    /// Other members, in Apple's words.
    let more: AppleLine.Members
    /// Whether it is in `in_app`, and not in `latest_receipt_info`.
    var isInApp: Bool
    /// What only the App Store Server API tells.
    var signed: [SignedFact] = []

    func json(number: Int) -> String {
        let id = id?.text ?? "\(number)"
        let original = original?.text ?? (until == nil ? id : "1")
        return AppleLine.json(
            [
                ("transaction_id", id), ("original_transaction_id", original),
                ("product_id", product.text), ("purchase_date_ms", AppleLine.ms(bought)),
                ("expires_date_ms", until.map(AppleLine.ms)),
            ] + more)
    }
}

enum RenewalFact: Sendable {
    case on, off, retry
    case grace(until: Double)
    case ended(Reason)
    /// Apple's own word on the subscription, 1 to 5, which only the App Store Server API tells.
    case status(Int)

    /// Apple's `expiration_intent`.
    enum Reason: String {
        case customerCancelled = "1"
        case paymentFailed = "2"
    }

    var member: (key: String, value: String?) {
        switch self {
        case .on: ("auto_renew_status", "1")
        case .off: ("auto_renew_status", "0")
        case .retry: ("is_in_billing_retry_period", "1")
        case .grace(let end): ("grace_period_expires_date_ms", AppleLine.ms(end))
        case .ended(let reason): ("expiration_intent", reason.rawValue)
        case .status: ("status", nil)
        }
    }
}

extension ShownLine: NamedProducts {
    struct Builder {
        let product: ProductID
        /// The length of a period whose end is not given.
        let days: Double?

        /// - Parameter lacksEnd: of a subscription, whose period else ends after `days`.
        func callAsFunction(
            bought: Double, until: Double? = nil, lacksEnd: Bool = false,
            id: TransactionID? = nil, original: TransactionID? = nil, cancelled: Double? = nil,
            reason: String? = nil, ownership: Ownership? = nil, isUpgraded: Bool = false,
            isTrial: Bool = false, isIntroductory: Bool = false, promotion: String? = nil,
            code: String? = nil, quantity: Int? = nil, lineItem: String? = nil,
            isOnlyInApp: Bool = false, firstBought: Double? = nil
        ) -> ShownLine {
            let end = lacksEnd ? nil : until ?? days.map { bought + $0 }
            let more: AppleLine.Members = [
                ("cancellation_date_ms", cancelled.map(AppleLine.ms)),
                ("cancellation_reason", reason), ("in_app_ownership_type", ownership?.rawValue),
                ("is_upgraded", isUpgraded ? "true" : nil),
                ("is_trial_period", isTrial ? "true" : nil),
                ("is_in_intro_offer_period", isIntroductory ? "true" : nil),
                ("promotional_offer_id", promotion), ("offer_code_ref_name", code),
                ("original_purchase_date_ms", firstBought.map(AppleLine.ms)),
                ("quantity", quantity.map { "\($0)" }), ("web_order_line_item_id", lineItem),
            ]
            return .purchase(
                ShownPurchase(
                    product: product, bought: bought, until: end, id: id, original: original,
                    more: more, isInApp: isOnlyInApp || end == nil))
        }
    }

    static func builder(of product: ProductID, days: Double?) -> Builder {
        Builder(product: product, days: days)
    }
}
