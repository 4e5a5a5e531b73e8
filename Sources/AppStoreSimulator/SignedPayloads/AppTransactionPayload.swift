/// What Apple signs of a customer's first download of an app: `JWSAppTransactionDecodedPayload`.
struct AppTransactionPayload {
    let account: KnownAccount

    func fields() -> JSONFields {
        let app = account.account.app
        var fields = JSONFields([
            ("appTransactionId", .text(account.appTransaction)), ("bundleId", .text(app.bundle)),
            ("receiptType", .text(account.environment.rawValue)),
            ("originalPlatform", .text(app == .tempo ? "macOS" : "iOS")),
            ("originalPurchaseDate", .number(account.account.originalPurchaseAt.milliseconds)),
            ("receiptCreationDate", .number(account.signedAt.milliseconds)),
        ])
        if account.environment == .production { fields.add("appAppleId", .number(app.storeID)) }
        fields.add("originalApplicationVersion", account.account.originalVersion)
        return fields
    }
}
