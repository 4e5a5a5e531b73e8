extension CustomerBuilder {
    mutating func addAccountStory() {
        let atlas = SimulatedApp.atlas
        switch customer.card.story {
        case .newcomer:
            let isPaidApp = customer.card.flaw == .believedPaid
            customer.accounts = [account(isPaidApp ? atlas : anyAppWithSubscriptions())]
        case .prospect:
            // Subscribes between the first night and the third.
            var account = account(atlas)
            account.installedAt = ago(3...40)
            let product = random.one(of: atlas.subscriptions)
            account.subscriptions = [
                subscription(product, from: firstNight.hours(random.within(2...40)), past: 0)
            ]
            customer.accounts = [account]
        case .pioneer, .unsurePioneer: customer.accounts = [pioneer()]
        case .sharedPioneer:
            customer.accounts = [pioneer()]
            customer.users.append(customer.users[0] + "-second")
        case .volumeBuyer:
            var account = account(atlas)
            account.isVolume = true
            account.purchases = [purchase(atlas.product("unlock"), at: ago(30...300))]
            customer.accounts = [account]
        case .oldClient, .oldClientExpired, .oldClientRefunded: customer.accounts = [oldClient()]
        case .tester: customer.accounts = [tester()]
        case .twoApps:
            customer.accounts = [SimulatedApp.atlas, .lumen].map { app in
                var account = account(app)
                account.subscriptions = [
                    runningSubscription(to: random.one(of: app.subscriptions))
                ]
                return account
            }
        case .sharedByPayer: shareByPayer()
        default:
            customer.accounts = [sharedAccount()]
            customer.users.append(customer.users[0] + "-second")
        }
    }

    private mutating func sharedAccount() -> AppAccount {
        var account = account(.lumen)
        account.subscriptions = [
            runningSubscription(to: SimulatedApp.lumen.product("studio.monthly"))
        ]
        return account
    }

    /// The app gave Apple the id of the user who bought; another user shares the Apple account.
    private mutating func shareByPayer() {
        let digits = String(1_000_000_000_000 + number).dropFirst()
        customer.users = ["8d1f60b2-4c77-4e0a-9b3d-\(digits)", "2b64c1de-0f9a-4d37-9a55-\(digits)"]
        var account = sharedAccount()
        account.nameBuyer(customer.users[0])
        customer.accounts = [account]
    }

    private mutating func pioneer() -> AppAccount {
        let app: SimulatedApp = random.isTrue(percent: 60) ? .atlas : .tempo
        var account = account(app)
        account.installedAt = Moment(milliseconds: 1_500_000_000_000).days(random.within(0...1_200))
        account.originalVersion =
            app == .atlas
            ? random.one(of: ["98", "131", "207", "239", "240", "0240"])
            : random.one(of: ["1.10", "2.0", "2.9.12", "3.4", "3.4.1", "3.4.1.0"])
        if customer.card.story == .unsurePioneer {
            account.originalVersion = random.one(of: [nil, "", "72e87690", "2.0b3"])
        }
        return account
    }

    /// An iOS 6 client sends one transaction and gets the latest of its chain.
    private mutating func oldClient() -> AppAccount {
        let app = SimulatedApp.atlas
        var account = account(app)
        account.style = .iOS6
        let product = app.product("plus.monthly")
        switch customer.card.story {
        case .oldClient: account.subscriptions = [runningSubscription(to: product)]
        case .oldClientRefunded: account.subscriptions = [refundedSubscription(to: product)]
        default:
            account.subscriptions = [
                endedSubscription(to: product, at: ago(3...70)).ended(because: 1)
            ]
        }
        return account
    }

    /// TestFlight, App Review or a developer's phone: purchases in the sandbox, without payment.
    private mutating func tester() -> AppAccount {
        let app = anyAppWithSubscriptions()
        var account = account(app)
        account.isSandbox = true
        account.originalVersion = "1.0"
        let product = app.subscriptions[0]
        account.subscriptions = [
            subscription(
                product, from: currentPeriod(of: product), past: random.below(4), isSandbox: true)
        ]
        return account
    }
}
