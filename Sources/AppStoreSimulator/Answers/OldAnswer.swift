/// The answer to an iOS 6 transaction receipt: one flat transaction and the latest of its chain;
/// status 21006 when that has expired.
struct OldAnswer {
    let account: AppAccount
    let createdAt: Moment
    let now: Moment
    let quirks: Set<AnswerQuirk>
    let latestReceipt: [UInt8]

    func json() -> JSON {
        let seen = account.seen(at: now)
        let sent = account.seen(at: createdAt).last ?? seen.last
        guard let sent, let subscription = account.subscriptions.first,
            let latest = subscription.latest(at: now)
        else { return .object([("status", .number(21_002))]) }
        let isOver = latest.expiresAt.map { $0 <= now } ?? false
        var fields = JSONFields([("receipt", .object(transaction(sent)))])
        let isOff = subscription.renewal.turnedOffAt.map { $0 <= now } ?? false
        fields.add("auto_renew_status", .number(isOff ? 0 : 1))
        fields.add("auto_renew_product_id", latest.product.id)
        if isOver {
            fields.add("latest_expired_receipt_info", .object(transaction(latest)))
            if let intent = subscription.renewal.intent {
                fields.add("expiration_intent", String(intent))
            }
            fields.add("is_in_billing_retry_period", "0")
        } else {
            fields.add("latest_receipt_info", .object(transaction(latest)))
            fields.add("latest_receipt", String(decoding: latestReceipt, as: UTF8.self))
        }
        fields.add("environment", account.isSandbox ? "Sandbox" : "Production")
        fields.add("status", .number(isOver ? 21_006 : 0))
        return .object(fields)
    }

    /// `expires_date` contains milliseconds here, and `expires_date_formatted` the date. The oldest
    /// answers have the three modern forms instead.
    private func transaction(_ purchase: Purchase) -> JSONFields {
        var fields = JSONFields([
            ("quantity", .text("1")), ("product_id", .text(purchase.product.id)),
            ("transaction_id", .text(String(purchase.id))),
            ("original_transaction_id", .text(String(purchase.originalID))),
            ("bid", .text(account.app.bundle)), ("bvrs", .text(account.applicationVersion)),
            ("item_id", .text(String(account.app.storeID % 1_000_000_000))),
            ("app_item_id", .text(String(account.app.storeID))),
            ("version_external_identifier", .text("851020118")),
            ("web_order_line_item_id", .text(String(purchase.lineItem))),
            ("is_trial_period", .text(purchase.isTrial ? "true" : "false")),
        ])
        fields.add(date: "purchase_date", purchase.purchasedAt)
        fields.add(date: "original_purchase_date", purchase.originallyPurchasedAt)
        if quirks.contains(.vendorIdentifier) {
            fields.add("unique_vendor_identifier", "5F1E7A60-93C2-4D0B-A8F4-0D6E2B7C9135")
        } else {
            fields.add("unique_identifier", "f000000000000000000000000000000000000000")
        }
        if let expiry = purchase.expiresAt, quirks.contains(.expiryInThreeForms) {
            fields.add(date: "expires_date", expiry)
        } else if let expiry = purchase.expiresAt {
            fields.add("expires_date", String(expiry.milliseconds))
            fields.add("expires_date_formatted", expiry.greenwichText)
            fields.add("expires_date_formatted_pst", expiry.pacificText)
        }
        if let cancellation = purchase.cancellation(at: now) {
            fields.add(date: "cancellation_date", cancellation)
        }
        return fields
    }
}
