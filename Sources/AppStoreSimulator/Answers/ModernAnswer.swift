/// The answer to an app receipt (since iOS 7): `receipt.in_app`, `latest_receipt_info` and
/// `pending_renewal_info`.
struct ModernAnswer {
    let account: AppAccount
    let mark: ReceiptMark
    let createdAt: Moment
    let now: Moment
    let quirks: Set<AnswerQuirk>
    let excludesOld: Bool
    let latestReceipt: [UInt8]

    private var isSandbox: Bool { account.isSandbox }

    func json() -> JSON {
        var random = SplitMix64(seed: mark.seed ^ 0xa4, part: UInt64(mark.customer))
        var fields = JSONFields()
        if !quirks.contains(.noEnvironment) {
            fields.add("environment", isSandbox ? "Sandbox" : "Production")
        }
        fields.add("receipt", receipt(&random))
        if !account.subscriptions.isEmpty, !account.seen(at: now).isEmpty {
            fields.add("latest_receipt_info", latest(&random))
            fields.add("latest_receipt", String(decoding: latestReceipt, as: UTF8.self))
            fields.add("pending_renewal_info", renewals(&random))
        }
        if quirks.contains(.itunesEnvironment) {
            fields.add("itunes_env", isSandbox ? "sandbox" : "production")
        }
        fields.add("status", quirks.contains(.statusAsString) ? .text("0") : .number(0))
        return object(fields, &random)
    }

    private func object(_ fields: JSONFields, _ random: inout SplitMix64) -> JSON {
        guard quirks.contains(.shuffledKeys) else { return .object(fields) }
        var fields = fields
        fields.shuffle(with: &random)
        return .object(fields)
    }

    private func receipt(_ random: inout SplitMix64) -> JSON {
        let store = isSandbox ? 0 : account.app.storeID
        var fields = JSONFields([
            ("receipt_type", .text(account.receiptType)), ("adam_id", .number(store)),
            ("app_item_id", .number(store)), ("bundle_id", .text(account.app.bundle)),
            ("application_version", .text(account.applicationVersion)),
        ])
        // Up to 18 digits, more than a double can hold.
        let download: JSON =
            quirks.contains(.nullDownloadID)
            ? .null : .number(isSandbox ? 0 : 500_935_934_584_949_200 + Int64(mark.customer))
        fields.add("download_id", download)
        fields.add("version_external_identifier", .number(isSandbox ? 0 : 851_020_118))
        fields.add(date: "receipt_creation_date", createdAt)
        fields.add(date: "request_date", now + Int64(1_000 + mark.customer % 997))
        fields.add(date: "original_purchase_date", account.originalPurchaseAt)
        if !quirks.contains(.noOriginalVersion) {
            fields.add("original_application_version", account.originalVersion)
        }
        if account.isVolume { fields.add(date: "expiration_date", createdAt.days(365)) }
        fields.add("in_app", .list(inApp(&random)))
        return object(fields, &random)
    }

    /// All periods of subscriptions, or with `staleInApp` those known when the receipt was created.
    private func inApp(_ random: inout SplitMix64) -> [JSON] {
        let subscribed = account.subscriptions.flatMap {
            $0.seen(at: quirks.contains(.staleInApp) ? createdAt : now)
        }
        let bought = account.purchases.filter { $0.purchasedAt <= now }
        return ordered(subscribed + bought, &random).map { purchase in
            let isAnywhereElse = purchase.product.kind == .autoRenewable
            let hidesCancellation =
                isAnywhereElse && quirks.contains(.cancellationOnlyInLatest)
            return line(purchase, isLatest: false, hidesCancellation: hidesCancellation, &random)
        }
    }

    private func latest(_ random: inout SplitMix64) -> JSON {
        let periods = account.subscriptions.flatMap { subscription in
            excludesOld
                ? [subscription.latest(at: now)].compactMap(\.self) : subscription.seen(at: now)
        }
        return .list(
            ordered(periods, &random).map {
                line($0, isLatest: true, hidesCancellation: false, &random)
            })
    }

    private func ordered(_ purchases: [Purchase], _ random: inout SplitMix64) -> [Purchase] {
        if quirks.contains(.shuffledLists) { return random.shuffled(purchases) }
        let sorted = purchases.sorted { $0.purchasedAt < $1.purchasedAt }
        return quirks.contains(.oldestFirst) ? sorted : sorted.reversed()
    }

    private func line(
        _ purchase: Purchase, isLatest: Bool, hidesCancellation: Bool, _ random: inout SplitMix64
    ) -> JSON {
        var line = TransactionLine(
            purchase: purchase, now: now, isLatest: isLatest,
            hidesCancellation: hidesCancellation, quirks: quirks
        ).fields()
        if account.isGarbled, purchase.id == purchase.originalID {
            for key in ["", "_ms", "_pst"] { line.remove("purchase_date" + key) }
            line.add("purchase_date", "(null)")
        }
        return object(line, &random)
    }

    private func renewals(_ random: inout SplitMix64) -> JSON {
        .list(
            account.subscriptions.compactMap { subscription in
                RenewalLine(subscription: subscription, now: now, quirks: quirks).fields()
                    .map { object($0, &random) }
            })
    }
}
