/// A customer's Apple account in one app, as Apple knows it at an instant.
struct KnownAccount: Sendable {
    let customer: Customer
    /// Among the customer's accounts.
    let index: Int
    /// Later events are not visible.
    let now: Moment
    /// When Apple signs what it tells.
    let signedAt: Moment

    var account: AppAccount { customer.accounts[index] }

    var environment: SimulatedEnvironment { account.isSandbox ? .sandbox : .production }

    /// In the order of Apple's pages: by the last change.
    var transactions: [Purchase] {
        account.known(at: now).sorted { left, right in
            let changes = [left, right].map { $0.lastChange(at: now) }
            return changes[0] == changes[1] ? left.id < right.id : changes[0] < changes[1]
        }
    }

    /// Apple's number of the account in the app.
    var appTransaction: String { String(700_000_000_000_000_000 + customer.number * 16 + index) }

    func signed(_ purchase: Purchase) -> String {
        JWSMint.text(.object(TransactionPayload(purchase: purchase, account: self).fields()))
    }
}

extension Purchase {
    fileprivate func lastChange(at now: Moment) -> Moment {
        [cancelledAt, refundReversedAt, partRefundedAt, upgradedAt].compactMap(\.self)
            .filter { $0 <= now }.reduce(purchasedAt) { max($0, $1) }
    }
}

extension SimulatedStore {
    func account(_ index: Int, of customer: Customer) -> KnownAccount {
        KnownAccount(
            customer: customer, index: index, now: now,
            signedAt: now + Int64(1_000 + customer.number % 997))
    }

    /// The account that has a transaction of this id or a chain that begins with it.
    func account(
        with id: Int64, in bundle: String, at environment: SimulatedEnvironment
    ) -> KnownAccount? {
        guard let number = TransactionSeries.customer(of: id), knows(number) else { return nil }
        let customer = customer(number)
        // Neither forged purchases nor those of Xcode's test environment are Apple's.
        guard customer.card.story != .xcode else { return nil }
        return customer.accounts.indices.lazy.map { account($0, of: customer) }.first { known in
            known.account.app.bundle == bundle && known.environment == environment
                && known.account.recognition != .notAuthentic
                && known.account.known(at: now).contains { $0.id == id || $0.originalID == id }
        }
    }

    private func knows(_ number: Int) -> Bool {
        number < customers || Stranger.numbers.contains(number)
    }
}
