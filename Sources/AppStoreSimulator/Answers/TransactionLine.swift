/// One element of `in_app` or `latest_receipt_info`. Nearly all values are strings.
struct TransactionLine {
    let purchase: Purchase
    let now: Moment
    /// Whether this is an element of `latest_receipt_info`, which has more keys.
    let isLatest: Bool
    let hidesCancellation: Bool
    let quirks: Set<AnswerQuirk>

    func fields() -> JSONFields {
        let asNumber = quirks.contains(.numbersForStrings)
        let asBool = quirks.contains(.booleansForStrings)
        let form = MillisecondForm(quirks)
        var fields = JSONFields([
            ("quantity", asNumber ? .number(1) : .text("1")),
            ("product_id", .text(purchase.product.id)),
            ("transaction_id", id(purchase.id)),
            ("original_transaction_id", id(purchase.originalID)),
        ])
        fields.add(date: "purchase_date", purchase.purchasedAt, as: form)
        fields.add(date: "original_purchase_date", purchase.originallyPurchasedAt, as: form)
        if let expiry = purchase.expiresAt {
            fields.add(date: "expires_date", expiry, as: form)
            fields.add("web_order_line_item_id", String(purchase.lineItem))
        }
        fields.add(flag: "is_trial_period", purchase.isTrial, asBool: asBool)
        if purchase.product.kind == .autoRenewable {
            fields.add(
                flag: "is_in_intro_offer_period", purchase.isIntroductory, asBool: asBool)
        }
        if !hidesCancellation, let cancellation = purchase.cancellation(at: now) {
            fields.add(date: "cancellation_date", cancellation, as: form)
            fields.add("cancellation_reason", purchase.isRefundedForTheApp ? "1" : "0")
        }
        addDetails(to: &fields)
        return fields
    }

    private func id(_ number: Int64) -> JSON {
        quirks.contains(.numbersForIDs) ? .number(number) : .text(String(number))
    }

    private func addDetails(to fields: inout JSONFields) {
        if !quirks.contains(.noOwnership) || purchase.isShared {
            fields.add(
                "in_app_ownership_type", purchase.isShared ? "FAMILY_SHARED" : "PURCHASED")
        }
        fields.add("promotional_offer_id", purchase.promotionalOffer)
        if isLatest {
            fields.add("offer_code_ref_name", purchase.offerCode)
            if purchase.isUpgraded(at: now) { fields.add("is_upgraded", "true") }
            if purchase.product.group != nil, !quirks.contains(.noGroup) {
                fields.add("subscription_group_identifier", purchase.product.groupNumber)
            }
        }
        if quirks.contains(.accountToken) {
            fields.add("app_account_token", purchase.accountToken)
        }
        if quirks.contains(.unknownKeys) {
            fields.add("future_key", .object([("nested", .list([.number(1), .null]))]))
        }
    }
}
