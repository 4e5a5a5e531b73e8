extension CustomerBuilder {
    mutating func addReceiptStory() {
        let story = customer.card.story
        let app: SimulatedApp = story == .wrongApp ? .lumen : anyAppWithSubscriptions()
        var account = account(app)
        if story == .accountGone { account.recognition = .accountGone }
        if story == .forged { account.recognition = .notAuthentic }
        if ![.garbage, .emptyReceipt, .noReceipt].contains(story) {
            let product = random.one(of: app.subscriptions)
            account.subscriptions = [runningSubscription(to: product)]
        }
        customer.accounts = [account]
    }

    mutating func storeReceipts() {
        guard customer.card.story != .noReceipt else { return }
        if customer.card.story == .sharedPioneer { return storeOneReceiptForAll() }
        for user in customer.users {
            for index in customer.accounts.indices {
                store(of: index, user: user)
                if random.isTrue(percent: 6) { store(of: index, user: user) }
            }
        }
    }

    private mutating func storeOneReceiptForAll() {
        store(of: 0, user: customer.users[0])
        let first = customer.receipts[0]
        customer.receipts += customer.users.dropFirst().map { user in
            ReceiptFile(
                number: first.number, user: user, account: first.account, bundle: first.bundle,
                storedAt: first.storedAt)
        }
    }

    private mutating func store(of index: Int, user: String) {
        let account = customer.accounts[index]
        let known = account.seen(at: firstNight.days(-1)).map(\.purchasedAt).max()
        let after = max(known ?? account.installedAt, account.installedAt)
        var receipt = ReceiptFile(
            number: customer.receipts.count + 1, user: user, account: index,
            bundle: customer.card.story == .wrongApp
                ? SimulatedApp.atlas.bundle : account.app.bundle,
            storedAt: after + Int64(random.within(60...3_600)) * 1_000)
        switch customer.card.story {
        case .signedTransaction: receipt.form = .signedTransaction
        case .xcode: receipt.form = .xcode
        case .garbage: receipt.form = .garbage
        case .emptyReceipt: receipt.form = .empty
        default: receipt.damage = damage()
        }
        customer.receipts.append(receipt)
    }

    private mutating func damage() -> ReceiptFile.Damage {
        switch random.below(100) {
        case 0...3: .wrapped
        case 4...6: .spaces
        case 7...9: .urlSafe
        case 10...11: .unpadded
        default: .none
        }
    }
}
