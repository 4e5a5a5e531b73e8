/// What signed payloads about one customer say together, in the form in which it is judged. Their
/// signatures are the caller's matter.
struct SignedHistory: Sendable {
    private var transactions = SignedTransactions()
    private var renewals: [TransactionID: Renewal] = [:]
    private var app: SignedAppTransaction?
    private var newest: Instant?

    /// Whether there are subscriptions.
    var hasSubscription: Bool { transactions.hasSubscription }

    /// - Parameter status: Apple's, of the subscription of a renewal info.
    mutating func add(_ payload: SignedPayload, as kind: SignedKind, status: Int? = nil) {
        if let signedAt = payload.date("signedDate").instant {
            newest = max(newest ?? signedAt, signedAt)
        }
        switch kind {
        case .renewalInfo: add(SignedRenewal(payload), status)
        case .appTransaction: app = SignedAppTransaction(payload)
        case .transaction, .notification, .other: transactions.add(payload)
        }
    }

    private mutating func add(_ signed: SignedRenewal, _ status: Int?) {
        guard let chain = signed.originalID else { return }
        let renewal = signed.renewal(of: chain, status: status)
        renewals[chain] = renewals[chain]?.merged(with: renewal) ?? renewal
    }

    func receipt(of bundle: BundleID, in environment: StoreEnvironment) -> Receipt {
        var receipt = Receipt(
            bundle: bundle, environment: environment, createdAt: newest, requestedAt: newest,
            originalApplicationVersion: app?.originalApplicationVersion,
            originalPurchaseAt: app?.originallyPurchasedAt.instant)
        transactions.write(to: &receipt)
        receipt.renewals = renewals.values.sorted { $0.originalID < $1.originalID }
        return receipt
    }
}

extension SignedRenewal {
    fileprivate func renewal(of chain: TransactionID, status: Int?) -> Renewal {
        Renewal(
            originalID: chain, willRenew: willRenew, renewsAs: renewsAs,
            expirationIntent: expirationIntent.flatMap { Int($0) }
                .map(ExpirationIntent.init(code:)),
            isInBillingRetry: isInBillingRetry,
            gracePeriodExpiresAt: gracePeriodExpiresAt.instant, appleStatus: status)
    }
}
