/// Which notices a request asks for: `NotificationHistoryRequest`.
struct NotificationQuery {
    let bundle: String
    let environment: SimulatedEnvironment
    private let dates: ClosedRange<Moment>
    private let kind: String?
    private let transaction: String?
    private let onlyFailures: Bool
    /// Of the whole request: that of the next page must be the same.
    let digest: String

    /// How long Apple keeps notices, in days.
    private static let kept: [SimulatedEnvironment: Int] = [.production: 180, .sandbox: 30]

    private static let members: Set = [
        "startDate", "endDate", "notificationType", "notificationSubtype", "transactionId",
        "onlyFailures",
    ]

    init(
        _ body: [UInt8], in bundle: String, at environment: SimulatedEnvironment, _ now: Moment
    ) throws(APIRefusal) {
        guard let fields = FlatJSON(body), fields.keys.isSubset(of: Self.members) else {
            throw .badRequest
        }
        guard let start = fields.number("startDate"), start >= 0 else { throw .invalidStart }
        guard let end = fields.number("endDate"), end >= 0 else { throw .invalidEnd }
        guard start <= end else { throw .startAfterEnd }
        let first = now.days(-(Self.kept[environment] ?? 0))
        guard start > first.milliseconds else { throw .startTooEarly }
        kind = fields.text("notificationType")
        transaction = fields.text("transactionId")
        onlyFailures = fields.flag("onlyFailures") ?? false
        guard kind != nil || !fields.has("notificationType"),
            transaction != nil || !fields.has("transactionId"),
            fields.flag("onlyFailures") != nil || !fields.has("onlyFailures")
        else { throw .badRequest }
        // No notice of these kinds has a subtype.
        guard !fields.has("notificationSubtype") else { throw .invalidType }
        guard kind.map(Self.kinds.contains) ?? true else { throw .invalidType }
        guard kind == nil || transaction == nil else { throw .severalFilters }
        dates = Moment(milliseconds: start)...Moment(milliseconds: end)
        self.bundle = bundle
        self.environment = environment
        digest = Base64Text.encodedURL(
            Array(Hash.sha256(Array("\(bundle) \(environment) ".utf8) + body).prefix(9)))
    }

    func asksFor(_ notice: Notice, _ delivery: Delivery) -> Bool {
        dates.contains(notice.signedAt) && kind ?? notice.kind.rawValue == notice.kind.rawValue
            && transaction ?? String(notice.purchase.id) == String(notice.purchase.id)
            && !(onlyFailures && delivery.isDelivered)
    }

    /// Apple's types; the simulated Apple sends those of `Notice`.
    private static let kinds: Set = [
        "CONSUMPTION_REQUEST", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS",
        "DID_FAIL_TO_RENEW", "DID_RENEW", "EXPIRED", "EXTERNAL_PURCHASE_TOKEN",
        "GRACE_PERIOD_EXPIRED", "METADATA_UPDATE", "MIGRATION", "OFFER_REDEEMED",
        "ONE_TIME_CHARGE", "PRICE_CHANGE", "PRICE_INCREASE", "REFUND", "REFUND_DECLINED",
        "REFUND_REVERSED", "RENEWAL_EXTENDED", "RENEWAL_EXTENSION", "RESCIND_CONSENT", "REVOKE",
        "SUBSCRIBED", "TEST",
    ]
}
