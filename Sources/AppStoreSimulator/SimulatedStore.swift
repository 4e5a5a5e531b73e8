/// A world of customers: what they bought at Apple, and what a service has stored of them.
///
/// The same seed, first night and night give the same world on every machine. Customers are made
/// when they are asked for, so a world of any size takes no memory.
package struct SimulatedStore: Sendable {
    /// What the world grows from.
    package let seed: UInt64
    /// How many Apple accounts there are; a few have two users of the service.
    package let customers: Int
    /// What everything was arranged around.
    package let firstNight: Moment
    /// 1 for the first; each following one is a day later.
    package let night: Int

    private let deck: Deck

    /// A world as it is on one of its nights.
    package init(seed: UInt64, customers: Int, firstNight: Moment, night: Int = 1) {
        (self.seed, self.customers) = (seed, max(0, customers))
        (self.firstNight, self.night) = (firstNight, max(1, night))
        deck = Deck(seed: seed)
    }

    /// The instant at which the world is looked at.
    package var now: Moment { firstNight.days(night - 1) }

    /// What the service has stored of a customer.
    /// - Parameter number: from 0 up to `customers`.
    package func entitlements(of number: Int) -> [SimulatedEntitlement] {
        ServiceBook(
            customer: customer(number), night: night, now: now, firstNight: firstNight
        ).rows()
    }

    func customer(_ number: Int) -> Customer {
        var builder = CustomerBuilder(
            seed: seed, number: number, card: deck.card(of: number), firstNight: firstNight,
            now: now)
        builder.tell()
        return builder.customer
    }
}
