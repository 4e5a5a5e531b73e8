/// What Apple signs of a transaction: `JWSTransactionDecodedPayload`.
struct TransactionPayload {
    let purchase: Purchase
    let account: KnownAccount

    /// 2023-10-01T00:00:00Z. Apple tells no price of older purchases.
    private static let firstPrice = Moment(milliseconds: 1_696_118_400_000)

    func fields() -> JSONFields {
        var fields = JSONFields([
            ("transactionId", .text(String(purchase.id))),
            ("originalTransactionId", .text(String(purchase.originalID))),
            ("bundleId", .text(account.account.app.bundle)),
            ("productId", .text(purchase.product.id)),
            ("purchaseDate", .number(purchase.purchasedAt.milliseconds)),
            ("originalPurchaseDate", .number(purchase.originallyPurchasedAt.milliseconds)),
            ("quantity", .number(Int64(purchase.quantity))),
            ("type", .text(purchase.product.kind.apiName)),
            ("inAppOwnershipType", .text(purchase.isShared ? "FAMILY_SHARED" : "PURCHASED")),
            ("signedDate", .number(account.signedAt.milliseconds)),
            ("environment", .text(account.environment.rawValue)),
            ("appTransactionId", .text(account.appTransaction)),
            ("transactionReason", .text(isRenewal ? "RENEWAL" : "PURCHASE")),
        ])
        if let expiry = purchase.expiresAt {
            fields.add("webOrderLineItemId", String(purchase.lineItem))
            fields.add("subscriptionGroupIdentifier", purchase.product.groupNumber)
            fields.add("expiresDate", .number(expiry.milliseconds))
        }
        if purchase.isUpgraded(at: account.now) { fields.add("isUpgraded", .bool(true)) }
        // Family members have no account in the app that paid.
        if !purchase.isShared, account.customer.number % 2 == 0 || purchase.buyer != nil {
            fields.add("appAccountToken", purchase.accountToken)
        }
        addRevocation(to: &fields)
        addOffer(to: &fields)
        addPrice(to: &fields)
        return fields
    }

    private var isRenewal: Bool { purchase.id != purchase.originalID }

    private func addRevocation(to fields: inout JSONFields) {
        guard let revocation = purchase.revocation(at: account.now) else { return }
        fields.add("revocationDate", .number(revocation.milliseconds))
        fields.add("revocationReason", .number(purchase.isRefundedForTheApp ? 1 : 0))
        if purchase.isShared {
            fields.add("revocationType", "FAMILY_REVOKE")
        } else if purchase.isRefunded {
            let share = purchase.refundedShare
            fields.add("revocationType", share == nil ? "REFUND_FULL" : "REFUND_PRORATED")
            fields.add("revocationPercentage", .number(Int64(share ?? 100_000)))
        }
    }

    private func addOffer(to fields: inout JSONFields) {
        func add(_ type: Int64, _ identifier: String?, _ discount: String, _ period: String) {
            fields.add("offerType", .number(type))
            fields.add("offerIdentifier", identifier)
            fields.add("offerDiscountType", discount)
            fields.add("offerPeriod", period)
        }
        if purchase.isTrial {
            add(1, nil, "FREE_TRIAL", "P1W")
        } else if purchase.isIntroductory {
            add(1, nil, "PAY_AS_YOU_GO", "P1M")
        } else if let offer = purchase.promotionalOffer {
            add(2, offer, "PAY_AS_YOU_GO", "P1M")
        } else if let offer = purchase.offerCode {
            add(3, offer, "PAY_UP_FRONT", "P1M")
        }
    }

    private func addPrice(to fields: inout JSONFields) {
        let storefront = account.storefront
        fields.add("storefront", storefront.country)
        fields.add("storefrontId", storefront.id)
        guard purchase.purchasedAt >= Self.firstPrice else { return }
        fields.add("price", .number(Int64(storefront.price(of: purchase))))
        fields.add("currency", storefront.currency)
    }
}

extension KnownAccount {
    /// Testers pay nothing, in US dollars.
    var storefront: Storefront { account.isSandbox ? .unitedStates : .of(customer.number) }
}

extension SimulatedProduct.Kind {
    fileprivate var apiName: String {
        switch self {
        case .nonConsumable: "Non-Consumable"
        case .consumable: "Consumable"
        case .nonRenewing: "Non-Renewing Subscription"
        case .autoRenewable: "Auto-Renewable Subscription"
        }
    }
}
