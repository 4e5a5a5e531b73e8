@testable import Reconcile
@testable import TestSupport

/// What the App Store Server API tells of a customer, in the lines that verifyReceipt's answer
/// would have: `.pro(bought: -10)`, and beside them what only this source tells:
/// `.pro(bought: -10).signed(.price(9_990, "USD"))`.
struct ShownCustomer: Sendable {
    var lines: [ShownLine]
    var app: BundleID = "acme"
    var environment = StoreEnvironment.production

    /// What the parser reads from the payloads that Apple would sign.
    var receipt: Receipt {
        var history = SignedHistory()
        var number = 0
        for line in lines {
            switch line {
            case .purchase(let purchase):
                number += 1
                history.add(Self.read(purchase.payload(number: number)), as: .transaction)
            case .renewal(let facts, let original):
                let signed: [SignedFact] = [
                    .init("originalTransactionId", original.text.jsonQuoted)
                ]
                let status = facts.compactMap(\.status).first
                history.add(
                    Self.read(PayloadJSON(of: signed + facts.compactMap(\.signed))),
                    as: .renewalInfo, status: status)
            }
        }
        var receipt = history.receipt(of: app, in: environment)
        receipt.createdAt = .day(0)
        receipt.requestedAt = .day(0)
        return receipt
    }

    private static func read(_ json: PayloadJSON) -> SignedPayload {
        guard let payload = SignedPayload(Array(json.text.utf8)) else {
            preconditionFailure("unreadable: \(json.text)")
        }
        return payload
    }
}

extension PayloadJSON {
    /// Of several facts of one name the last counts.
    fileprivate init(of facts: [SignedFact]) {
        self = facts.reduce(PayloadJSON([])) { $0.with($1.name, $1.json) }
    }
}

/// A member of a signed payload, by Apple's name.
struct SignedFact: Sendable {
    let name: String
    /// Its value, in JSON.
    let json: String

    init(_ name: String, _ json: String) {
        self.name = name
        self.json = json
    }

    /// - Parameter percentage: of a refund, in thousandths of a percent.
    static func percentage(_ percentage: Int) -> SignedFact {
        SignedFact("revocationPercentage", "\(percentage)")
    }

    static let familyRevocation = SignedFact("revocationType", #""FAMILY_REVOKE""#)
    static let monthlyCommitment = SignedFact("billingPlanType", #""MONTHLY""#)
    static let winBack = SignedFact("offerType", "4")

    static func token(_ account: String) -> SignedFact {
        SignedFact("appAccountToken", account.jsonQuoted)
    }

    static func owner(_ ownership: String) -> SignedFact {
        SignedFact("inAppOwnershipType", ownership.jsonQuoted)
    }
}

extension ShownLine {
    /// - Parameter price: in thousandths of the currency's unit, for the whole quantity.
    func sold(for price: Int, _ currency: String = "USD") -> ShownLine {
        signed(SignedFact("price", "\(price)"), SignedFact("currency", currency.jsonQuoted))
    }

    /// With what verifyReceipt does not tell.
    func signed(_ facts: SignedFact...) -> ShownLine {
        guard case .purchase(var purchase) = self else { return self }
        purchase.signed += facts
        return .purchase(purchase)
    }
}

extension ShownPurchase {
    fileprivate func payload(number: Int) -> PayloadJSON {
        let id = id?.text ?? "\(number)"
        let original = original?.text ?? (until == nil ? id : "1")
        let dates = [("purchaseDate", bought)] + (until.map { [("expiresDate", $0)] } ?? [])
        let facts =
            [
                SignedFact("transactionId", id.jsonQuoted),
                SignedFact("originalTransactionId", original.jsonQuoted),
                SignedFact("productId", product.text.jsonQuoted),
                SignedFact("signedDate", AppleLine.ms(0)),
            ] + dates.map { SignedFact($0.0, AppleLine.ms($0.1)) }
            + more.flatMap { Self.signed($0.key, $0.value) } + signed
        return PayloadJSON(of: facts)
    }

    /// A member of verifyReceipt's, as the API has it.
    private static func signed(_ name: String, _ value: String?) -> [SignedFact] {
        guard let value else { return [] }
        let text = value.jsonQuoted
        return switch name {
        case "cancellation_date_ms": [SignedFact("revocationDate", value)]
        case "cancellation_reason": [SignedFact("revocationReason", value)]
        case "in_app_ownership_type": [SignedFact("inAppOwnershipType", text)]
        case "is_upgraded": [SignedFact("isUpgraded", value)]
        case "quantity": [SignedFact("quantity", value)]
        case "web_order_line_item_id": [SignedFact("webOrderLineItemId", text)]
        case "is_trial_period":
            [SignedFact("offerType", "1"), SignedFact("offerDiscountType", #""FREE_TRIAL""#)]
        case "is_in_intro_offer_period": [SignedFact("offerType", "1")]
        case "promotional_offer_id":
            [SignedFact("offerType", "2"), SignedFact("offerIdentifier", text)]
        case "offer_code_ref_name":
            [SignedFact("offerType", "3"), SignedFact("offerIdentifier", text)]
        default: preconditionFailure("the API has no \(name)")
        }
    }
}

extension RenewalFact {
    /// Apple's own word on the subscription.
    fileprivate var status: Int? {
        if case .status(let status) = self { status } else { nil }
    }

    fileprivate var signed: SignedFact? {
        switch self {
        case .on: SignedFact("autoRenewStatus", "1")
        case .off: SignedFact("autoRenewStatus", "0")
        case .retry: SignedFact("isInBillingRetryPeriod", "true")
        case .grace(let end): SignedFact("gracePeriodExpiresDate", AppleLine.ms(end))
        case .ended(let reason): SignedFact("expirationIntent", reason.rawValue)
        case .status: nil
        }
    }
}

extension ShownReceipt {
    /// A stored receipt, or a JWS, about whose customer the API is asked alone.
    static func customer(
        _ lines: ShownLine..., id: ReceiptID? = nil, app: BundleID = "acme",
        environment: StoreEnvironment = .production
    ) -> ShownReceipt {
        let customer = ShownCustomer(lines: lines, app: app, environment: environment)
        return ShownReceipt(
            id: id, app: app, reply: .none(.verified(customer.receipt)), customers: [customer])
    }

    /// The same receipt, about which both sources are asked.
    func also(_ lines: ShownLine..., environment: StoreEnvironment = .production) -> ShownReceipt {
        var both = self
        both.customers.append(ShownCustomer(lines: lines, app: app, environment: environment))
        return both
    }
}
