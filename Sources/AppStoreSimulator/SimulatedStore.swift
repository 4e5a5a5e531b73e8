/// Generated customers: their purchases at Apple, and what a service has stored of them. Seed,
/// first night and night determine all data, on every machine. Customers are generated on demand,
/// so memory does not grow with their number.
package struct SimulatedStore: Sendable {
    let seed: UInt64
    /// Number of Apple accounts; a few have two users of the service.
    package let customers: Int
    let firstNight: Moment
    /// Counted from 1; nights are a day apart.
    let night: Int

    private let deck: Deck

    package init(seed: UInt64, customers: Int, firstNight: Moment, night: Int = 1) {
        self.seed = seed
        self.customers = max(0, customers)
        self.firstNight = firstNight
        self.night = max(1, night)
        deck = Deck(seed: seed)
    }

    var now: Moment { firstNight.days(night - 1) }

    /// - Parameter number: from 0, below `customers`.
    package func entitlements(of number: Int) -> [SimulatedEntitlement] {
        ServiceRows(
            customer: customer(number), night: night, now: now, firstNight: firstNight
        ).rows()
    }

    /// - Parameter number: below `customers`, or a stranger's.
    func customer(_ number: Int) -> Customer {
        var builder = CustomerBuilder(
            seed: seed, number: number, card: card(of: number), firstNight: firstNight, now: now)
        builder.addStory()
        if number == Stranger.secondAccount, let user = firstPayer {
            builder.customer.accounts[0].nameBuyer(user)
        }
        return builder.customer
    }

    /// The first user whom a shared purchase names as its buyer.
    private var firstPayer: String? {
        (0..<min(customers, Deck.size)).first { card(of: $0).story == .sharedByPayer }
            .map { customer($0).users[0] }
    }

    func card(of number: Int) -> Card {
        Stranger.numbers.contains(number) ? Stranger.card(of: number) : deck.card(of: number)
    }
}
