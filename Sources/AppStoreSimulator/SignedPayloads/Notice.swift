/// A notification about a refund or about the end of family sharing that Apple sent to the service.
struct Notice {
    enum Kind: String, CaseIterable {
        case refund = "REFUND"
        case refundReversed = "REFUND_REVERSED"
        case revoke = "REVOKE"
    }

    let kind: Kind
    let purchase: Purchase
    /// As Apple knew it then.
    let account: KnownAccount

    var signedAt: Moment { account.signedAt }

    /// `responseBodyV2DecodedPayload`, signed.
    func signed() -> String {
        let known = account.account
        var data = JSONFields([
            ("bundleId", .text(known.app.bundle)),
            ("bundleVersion", .text(known.applicationVersion)),
            ("environment", .text(account.environment.rawValue)),
        ])
        if account.environment == .production { data.add("appAppleId", .number(known.app.storeID)) }
        data.add("signedTransactionInfo", account.signed(purchase))
        return JWSMint.text(
            .object([
                ("notificationType", .text(kind.rawValue)), ("notificationUUID", .text(uuid)),
                ("version", .text("2.0")), ("signedDate", .number(signedAt.milliseconds)),
                ("data", .object(data)),
            ]))
    }

    private var uuid: String {
        let digits = Hash.sha256(Array("\(kind.rawValue) \(purchase.id)".utf8)).prefix(16)
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        var rest = digits[...]
        return [8, 4, 4, 4, 12].map { count in
            defer { rest = rest.dropFirst(count) }
            return String(rest.prefix(count))
        }.joined(separator: "-")
    }
}

extension KnownAccount {
    /// In no order of time.
    func notices() -> [Notice] {
        account.known(at: now).flatMap { purchase -> [Notice] in
            guard let event = purchase.cancelledAt ?? purchase.partRefundedAt,
                purchase.upgradedAt == nil
            else { return [] }
            let first = notice(purchase.isShared ? .revoke : .refund, purchase, after: event)
            let second = purchase.refundReversedAt.map {
                notice(.refundReversed, purchase, after: $0)
            }
            return [first, second].compactMap(\.self).filter { $0.signedAt <= now }
        }
    }

    private func notice(_ kind: Notice.Kind, _ purchase: Purchase, after event: Moment) -> Notice {
        let moment = event + Int64(60_000 * (2 + purchase.id % 8))
        let account = KnownAccount(
            customer: customer, index: index, now: moment, signedAt: moment)
        return Notice(kind: kind, purchase: purchase, account: account)
    }
}
