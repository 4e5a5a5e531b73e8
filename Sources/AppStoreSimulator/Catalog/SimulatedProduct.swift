/// Something that a simulated app sells.
package struct SimulatedProduct: Hashable, Sendable {
    /// Apple's four product types. Raw values are attribute 1707 of a receipt.
    package enum Kind: Int, Hashable, Sendable {
        case nonConsumable = 0
        case consumable = 1
        case nonRenewing = 2
        case autoRenewable = 3
    }

    /// How long one purchase lasts: whole months, or days.
    package enum Period: Hashable, Sendable {
        case months(Int)
        case days(Int)
    }

    /// The product identifier, for example `com.example.atlas.pro.monthly`.
    package let id: String
    /// What buying it means.
    package let kind: Kind
    /// The subscription group; nil for a subscription that stands alone, and for other kinds.
    package let group: String?
    /// The level in the group, 1 being the highest.
    package let level: Int?
    /// The billing period of a subscription, or how long a pass lasts.
    package let period: Period?
    /// In US dollars, as a decimal number.
    package let price: String
    /// Whether the service's catalogue has it. Apple may sell what the team forgot to enter.
    package let isInCatalog: Bool

    init(
        _ id: String, _ kind: Kind, group: String? = nil, level: Int? = nil,
        period: Period? = nil, price: String, isInCatalog: Bool = true
    ) {
        (self.id, self.kind, self.group, self.level) = (id, kind, group, level)
        (self.period, self.price, self.isInCatalog) = (period, price, isInCatalog)
    }

    /// What one right covers: the group, or the product alone.
    var right: String { group ?? id }

    /// When a purchase made at `start`, and renewed `count` times, ends.
    func end(of start: Moment, renewals count: Int = 0) -> Moment {
        switch period {
        case .months(let months): start.months(months * (count + 1))
        case .days(let days): start.days(days * (count + 1))
        case nil: start
        }
    }

    /// The start of the period that comes `count` periods after the one at `anchor`.
    func start(_ count: Int, periodsAfter anchor: Moment) -> Moment {
        end(of: anchor, renewals: count - 1)
    }

    /// In whole days, a month being 28: a length that no period falls short of.
    var shortestDays: Int {
        switch period {
        case .months(let months): months * 28
        case .days(let days): days
        case nil: 0
        }
    }
}
